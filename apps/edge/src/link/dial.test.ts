import { generateKeyPairSync } from "node:crypto";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { publish, TestGateway } from "../../test/gateway.ts";
import { enrolledEdge, tempFolder, until } from "../../test/real-device.ts";
import { cpeState } from "../../test/states.ts";
import { type RunningServer, serve } from "../../test/tls-server.ts";
import { type Channel, networkDial, toUrl } from "./dial.ts";

/** Only ends what hangs. */
const deadlineMs = 60_000;
const ends: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const served = async (...args: Parameters<typeof serve>): Promise<RunningServer> => {
  const server = await serve(...args);
  ends.push(server.close);
  return server;
};

const deviceAt = async (gateway: TestGateway, address: string) => {
  const { folder, remove } = tempFolder();
  ends.push(remove);
  const device = await enrolledEdge(folder, gateway, address);
  const run = device.edge.run();
  ends.push(async () => {
    await device.edge.stop();
    await run;
  });
  return device;
};

test.each([
  { name: "TLS", plain: false },
  { name: "plain loopback", plain: true },
])(
  "over $name a device enrols, connects, applies and confirms on a new connection",
  async (row) => {
    const gateway = new TestGateway();
    gateway.desired = publish(cpeState(), { epoch: 1, serial: 1 });
    const server = await served(gateway, row.plain ? null : gateway.privateKey);
    const { edge, machine } = await deviceAt(gateway, server.address);
    await until(() => gateway.confirmed.length > 0, "a confirmation");
    // Enrolment, socket, confirmation: no connection is kept alive or shared.
    expect(server.connections()).toBe(3);
    await until(() => edge.status.running?.serial === 1, "the confirmed state runs");
    expect(machine.drivers.find(({ name }) => name === "tunnel")?.applied.size).toBe(1);
  },
);

test("the rest of a deadline may be a fraction of a millisecond", async () => {
  const gateway = new TestGateway();
  gateway.post = () => "{}";
  const server = await served(gateway, gateway.privateKey);
  const target = { address: server.address, keyHashes: [gateway.keyHash], source: null };
  const answer = await networkDial.post(target, "/edge/v1/confirm", "{}", 9_876.543);
  expect(answer.text).toBe("{}");
});

test.each([true, false])("a part of a message counts as received, by TLS: %s", async (isTls) => {
  const gateway = new TestGateway();
  const part = "x".repeat(200_000);
  const server = await served(gateway, isTls ? gateway.privateKey : null, (socket) =>
    socket.send(part, { fin: false }),
  );
  const target = { address: server.address, keyHashes: [gateway.keyHash], source: null };
  const messages: string[] = [];
  const channel = networkDial.open(target, "/edge/v1", {
    open: () => {},
    message: (text) => messages.push(text),
    pong: () => {},
    closed: () => {},
  });
  ends.push(() => channel.close());
  await until(() => channel.received() > part.length, "the part");
  expect(messages.filter((text) => text.includes(part))).toEqual([]);
});

test("a call and a socket start from the given line", async () => {
  const gateway = new TestGateway();
  gateway.post = () => "{}";
  const server = await served(gateway, gateway.privateKey);
  const target = { address: server.address, keyHashes: [gateway.keyHash], source: "127.0.0.9" };
  await networkDial.post(target, "/edge/v1/confirm", "{}", deadlineMs);
  const channel = await new Promise<Channel>((resolve, reject) => {
    const opened = networkDial.open(target, "/edge/v1", {
      open: () => resolve(opened),
      message: () => {},
      pong: () => {},
      closed: (reason) => reject(new Error(reason)),
    });
  });
  ends.push(() => channel.close());
  expect(channel.source()).toBe("127.0.0.9");
  expect(server.callers()).toEqual(["127.0.0.9", "127.0.0.9"]);
  // An address of another machine: refused by the kernel, before anything is sent.
  const foreign = { ...target, source: "192.0.2.1" };
  await expect(networkDial.post(foreign, "/edge/v1/confirm", "{}", deadlineMs)).rejects.toThrow(
    "EADDRNOTAVAIL",
  );
});

test("a server with another key does not receive a single byte", async () => {
  const gateway = new TestGateway();
  let calls = 0;
  gateway.post = () => {
    calls += 1;
    return "{}";
  };
  const server = await served(gateway, generateKeyPairSync("ed25519").privateKey);
  const target = { address: server.address, keyHashes: [gateway.keyHash], source: null };
  const answer = networkDial.post(target, "/edge/v1/enrol", "{}", deadlineMs);
  await expect(answer).rejects.toThrow("another key");
  const reason = await new Promise<string>((resolve) => {
    networkDial.open(target, "/edge/v1", {
      open: () => resolve("open"),
      message: () => resolve("message"),
      pong: () => {},
      closed: resolve,
    });
  });
  expect(reason).toMatch(/another key/);
  expect(calls).toBe(0);
});

/** How opening a channel at a port of loopback ends. */
const failureAt = (
  port: number,
  source: string | null = null,
): Promise<{ reason: string; unanswered: unknown }> =>
  new Promise((resolve, reject) => {
    const target = { address: `wss://127.0.0.1:${port}`, keyHashes: [], source };
    networkDial.open(target, "/edge/v1", {
      open: () => reject(new Error("open")),
      message: () => {},
      pong: () => {},
      closed: (reason, unanswered) => resolve({ reason, unanswered }),
    });
  });

test("an address where nothing listens is distinguished from one that does not answer", async () => {
  const unused = createServer();
  await new Promise<void>((resolve) => unused.listen(0, "127.0.0.1", resolve));
  const { port } = unused.address() as AddressInfo;
  await new Promise((resolve) => unused.close(resolve));
  expect(await failureAt(port)).toMatchObject({ unanswered: "unserved" });
});

test("nothing is sent from an address that this machine does not have, or of another family", async () => {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  for (const source of ["192.0.2.77", "2001:db8::77"])
    expect(await failureAt(port, source)).toMatchObject({ unanswered: "unsent" });
});

test("so is a controller that starts, and not one that ends connections", async () => {
  const alert = Buffer.from([21, 3, 3, 0, 2, 2, 80]);
  let isStarting = true;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => {
      if (isStarting) socket.write(alert);
      socket.destroySoon();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  expect(await failureAt(port)).toEqual({
    reason: "the controller is starting",
    unanswered: "unserved",
  });
  isStarting = false;
  expect(await failureAt(port)).toMatchObject({ unanswered: null });
});

test("a certificate of another kind of key is not accepted", async () => {
  const gateway = new TestGateway();
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const server = await served(gateway, privateKey);
  const target = { address: server.address, keyHashes: [gateway.keyHash], source: null };
  const answer = networkDial.post(target, "/edge/v1/enrol", "{}", deadlineMs);
  await expect(answer).rejects.toThrow("another key");
});

test("plain-text connections are made to loopback only", () => {
  expect(() => toUrl("ws://100.64.0.2:8443")).toThrow("loopback only");
  expect(() => toUrl("ws://127.0.0.1.example.net:1")).toThrow("loopback only");
  expect(() => toUrl("http://127.0.0.1:1")).toThrow("not a controller address");
  expect(toUrl("ws://[::1]:8443").port).toBe("8443");
  expect(toUrl("wss://[fd00::1]:8443").hostname).toBe("[fd00::1]");
});

test("a device reconnects after its connection was cut, and keeps its running state", async () => {
  const gateway = new TestGateway();
  gateway.desired = publish(cpeState(), { epoch: 1, serial: 1 });
  const server = await served(gateway);
  const { edge } = await deviceAt(gateway, server.address);
  await until(() => edge.status.running?.serial === 1, "the first state");
  server.cut();
  await until(() => !edge.status.connected, "the cut is seen");
  await until(() => edge.status.connected, "it is back");
  await until(() => gateway.of("report").at(-1)?.running?.serial === 1, "it says what it runs");
  expect(gateway.of("need").length).toBe(1);
});

test("an oversize message ends the connection and is never read", async () => {
  const gateway = new TestGateway();
  const codes: number[] = [];
  let isHuge = true;
  const server = await served(gateway, gateway.privateKey, (socket) => {
    socket.on("close", (code) => codes.push(code));
    if (isHuge) socket.send("x".repeat(8_388_609));
    isHuge = false;
  });
  const { edge } = await deviceAt(gateway, server.address);
  await until(() => codes.length > 0, "the connection ends");
  expect([1006, 1009]).toContain(codes[0]);
  await until(() => edge.status.connected, "the next one works");
});

test("a response that is too large is aborted", async () => {
  const gateway = new TestGateway();
  gateway.post = () => "x".repeat(70_000);
  const server = await served(gateway);
  const target = { address: server.address, keyHashes: [gateway.keyHash], source: null };
  const answer = networkDial.post(target, "/edge/v1/enrol", "{}", deadlineMs);
  await expect(answer).rejects.toThrow("too large");
});

test("a server that accepts the connection and sends nothing is abandoned in time", async () => {
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  ends.push(() => silent.close());
  const { port } = silent.address() as AddressInfo;
  const keyHash = "0".repeat(64);
  for (const scheme of ["ws", "wss"]) {
    const target = { address: `${scheme}://127.0.0.1:${port}`, keyHashes: [keyHash], source: null };
    const answer = networkDial.post(target, "/edge/v1/confirm", "{}", 300);
    await expect(answer, scheme).rejects.toThrow(/no (answer|connection) in time/);
  }
});
