import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { http, readHop, readPing } from "./dials.ts";
import {
  answerLocal,
  callLocal,
  checkHosts,
  importOf,
  type LocalCalls,
  serveLocal,
} from "./local-api.ts";
import { isRefused, resolveTarget } from "./targets.ts";

/** Only ends what hangs. */
const deadlineMs = 60_000;

test.each([
  "127.0.0.1",
  "127.9.9.9",
  "0.0.0.0",
  "169.254.169.254",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "fe80::1",
  "ff02::1",
  "::ffff:127.0.0.1",
  "fd00:ec2::254",
  "64:ff9b::169.254.169.254",
  "64:ff9b::7f00:1",
  "64:ff9b:1::192.0.2.1",
  "2002:a9fe:a9fe::1",
  "not an address",
])("no test goes to %s", async (address) => {
  expect(isRefused(address)).toBe(true);
  if (address !== "not an address")
    await expect(resolveTarget(address)).rejects.toThrow("not to be");
});
test.each([
  "10.0.0.1",
  "192.0.2.1",
  "100.64.0.1",
  "2001:db8::1",
  "fd00::1",
  "64:ff9b::192.0.2.1",
  "2002:c000:201::1",
])("a test may go to %s", (address) => expect(isRefused(address)).toBe(false));
test("a name that stands for this host is refused, and so is a URL with it", async () => {
  await expect(resolveTarget("localhost")).rejects.toThrow("not to be tested");
  const server = createServer((_, reply) => reply.end("secret"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await expect(http(`http://localhost:${port}/`, deadlineMs)).rejects.toThrow("not to be tested");
  server.close();
});

test("what ping prints becomes metrics, also without an answer", () => {
  const text = `PING 192.0.2.1 (192.0.2.1) 56(84) bytes of data.
64 bytes from 192.0.2.1: icmp_seq=1 ttl=64 time=0.031 ms

--- 192.0.2.1 ping statistics ---
4 packets transmitted, 3 received, 25% packet loss, time 905ms
rtt min/avg/max/mdev = 0.031/12.046/0.061/0.011 ms
`;
  expect(readPing(text)).toMatchObject({ ok: true, delayMs: 12.05, lossPercent: 25 });
  const silent = "4 packets transmitted, 0 received, 100% packet loss, time 3054ms";
  expect(readPing(silent)).toMatchObject({ ok: false, delayMs: null, lossPercent: 100 });
});

test("hops are read from answers of the way and of the end", () => {
  expect(readHop("From 10.0.0.1 icmp_seq=1 Time to live exceeded")).toEqual({
    from: "10.0.0.1",
    ms: null,
  });
  expect(readHop("64 bytes from 192.0.2.1: icmp_seq=1 ttl=60 time=4.2 ms")).toEqual({
    from: "192.0.2.1",
    ms: "4.2",
  });
  expect(readHop("1 packets transmitted, 0 received")).toBeNull();
});

test("hosts lines are counted, and wrong ones named by their numbers", () => {
  expect(checkHosts("10.0.0.1 a.example.com # x\n\n# only this\nfd00::1 b c\n")).toEqual({
    status: 200,
    body: { lines: 2, bad: [] },
  });
  expect(checkHosts("nothing\n10.0.0.1 ok")).toEqual({ status: 422, body: { lines: 1, bad: [1] } });
});

test("B-7.3-18: the local API answers its listed paths over its own socket, and nothing else", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "weft-local-"));
  const answers = async () => ({ status: 200, body: { ok: 1 } });
  const calls: LocalCalls = {
    "/status": answers,
    "/interfaces": answers,
    "/routes": answers,
    "/leases": answers,
    "/import": importOf,
  };
  const socket = path.join(folder, "api.sock");
  const server = await serveLocal(socket, calls);
  const none = { fields: {}, file: null };
  expect(await callLocal(socket, "GET", "/status", none, deadlineMs)).toEqual({
    status: 200,
    body: { ok: 1 },
  });
  const file = { name: "hosts", base64: Buffer.from("10.0.0.1 a").toString("base64") };
  expect(await callLocal(socket, "POST", "/import", { fields: {}, file }, deadlineMs)).toEqual({
    status: 200,
    body: { lines: 1, bad: [] },
  });
  for (const other of ["/etc/passwd", "/status/../secret", "http://127.0.0.1/", "__proto__"]) {
    expect(await answerLocal(calls, "GET", other, none)).toMatchObject({ status: 404 });
  }
  expect(await answerLocal(calls, "POST", "/status", none)).toMatchObject({ status: 405 });
  server.close();
  await rm(folder, { recursive: true });
});
