import { expect, test } from "vitest";
import { identityOf, newSeed } from "#store/keys.ts";
import { TestGateway } from "../../test/gateway.ts";
import { MemoryNetwork } from "../../test/memory-dial.ts";
import { seededRandom, VirtualClock } from "../../test/virtual-clock.ts";
import { reconnectDelay } from "./backoff.ts";
import type { Dial } from "./dial.ts";
import { Link } from "./link.ts";
import type { ControllerMessage } from "./session.ts";

const first = "wss://one.test:8443";
const second = "wss://two.test:8443";

/** A link on a clock that the test moves, and what it saw. */
const linked = (
  addresses: readonly string[],
  gateways: Record<string, TestGateway>,
  dial?: Dial,
  lines: readonly string[] | (() => readonly string[]) = [],
  epoch = 1,
) => {
  const time = new VirtualClock();
  const { clock } = time.process();
  const random = seededRandom(3);
  const network = new MemoryNetwork(gateways);
  const identity = identityOf(newSeed(random));
  const events: string[] = [];
  const messages: ControllerMessage[] = [];
  const logged: { reason?: string; waitMs?: number; source?: string | null }[] = [];
  const write = (fields: object) => {
    logged.push(fields);
  };
  const log = { debug: write, info: write, warn: write, error: write };
  const [gateway] = Object.values(gateways) as [TestGateway];
  for (const one of Object.values(gateways)) one.deviceKey = identity.publicKey;
  const enrolment = {
    node: gateway.node,
    serialNumber: "SN-0001",
    addresses: [...addresses],
    controllerKey: gateway.publicKey,
  };
  const end = new AbortController();
  const knownEpoch = () => epoch;
  const sources = async () => (typeof lines === "function" ? lines() : lines);
  const link = new Link(
    {
      clock,
      random,
      dial: dial ?? network.dial(clock),
      log,
      identity,
      enrolment,
      controllerKeys: () => [gateway.publicKey],
      knownEpoch,
      sources,
    },
    {
      welcome: ({ epoch }) => events.push(`welcome ${epoch}`),
      message: (message) => messages.push(message),
      lost: (reason) => events.push(`lost: ${reason}`),
      removed: () => events.push("removed"),
    },
    end.signal,
  );
  const run = link.run();
  return { link, time, network, events, messages, logged, end, run };
};

test("a controller that proves itself is connected, and messages go both ways", async () => {
  const gateway = new TestGateway();
  const { link, time, events, messages } = linked([first], { [first]: gateway });
  expect(link.send({ type: "measures", links: [] })).toBe(false);
  await time.advance(100);
  expect(events).toEqual(["welcome 1"]);
  expect(link.send({ type: "measures", links: [] })).toBe(true);
  gateway.want({ head: { epoch: 1, serial: 1, sections: {} }, contents: new Map() });
  await time.advance(100);
  expect(gateway.of("measures").length).toBe(1);
  expect(messages.map(({ type }) => type)).toEqual(["head"]);
});

test("a welcome that the controller did not sign is no welcome", async () => {
  const gateway = new TestGateway();
  gateway.forgeWelcome = true;
  const { link, time, events, logged } = linked([first], { [first]: gateway });
  await time.advance(100);
  expect(events).toEqual([]);
  expect(link.isConnected).toBe(false);
  expect(logged[0]?.reason).toMatch(/did not sign/);
});

test("controllers are tried in turn", async () => {
  const gateway = new TestGateway();
  const { link, time, events } = linked([first, second], { [second]: gateway });
  await time.advance(20_000);
  expect(events).toEqual(["welcome 1"]);
  expect(link.addresses).toEqual([second, first]);
});

test("a line that falls silently with the connection on it: another line is tried immediately", async () => {
  const gateway = new TestGateway();
  const lines = ["198.51.100.2", "203.0.113.2"];
  const gateways = { [first]: gateway };
  const { link, time, network, events } = linked([first], gateways, undefined, lines);
  await time.advance(40_000);
  // The routes lead over the first line, and go on doing so.
  for (const from of [null, lines[0] as string]) network.deadFrom.add(from);
  void link.verifyConnection(3_000);
  await time.advance(8_500);
  expect(events).toEqual(["welcome 1", "lost: no answer after a line or link fell", "welcome 1"]);
  expect((await link.ways())[0]).toEqual({ address: first, source: lines[1] });
});

test("a line that is renumbered is tried by its new address within a round", async () => {
  const gateway = new TestGateway();
  let line = "203.0.113.7";
  const gateways = { [first]: gateway };
  const { time, network, events } = linked([first], gateways, undefined, () => [line]);
  // Only what begins at the new address gets through.
  for (const from of [null, line]) network.deadFrom.add(from);
  await time.advance(60_000);
  expect(events).toEqual([]);
  line = "203.0.113.99";
  await time.advance(130_000);
  expect(events).toEqual(["welcome 1"]);
});

test("a new address of a line is tried immediately, and other news of interfaces change nothing", async () => {
  const gateway = new TestGateway();
  let line = "203.0.113.7";
  const gateways = { [first]: gateway };
  const { link, time, network, events, logged } = linked([first], gateways, undefined, () => [
    line,
  ]);
  for (const from of [null, line]) network.deadFrom.add(from);
  // Long enough for a pause of most of a minute.
  await time.advance(300_000);
  const attempts = () => logged.filter(({ waitMs }) => waitMs !== undefined).length;
  const before = attempts();
  for (let times = 0; times < 50; times += 1) void link.linesChanged(3_000);
  await time.advance(100);
  expect(attempts()).toBeLessThanOrEqual(before + 1);
  line = "203.0.113.99";
  void link.linesChanged(3_000);
  await time.advance(2_000);
  expect(events).toEqual(["welcome 1"]);
});

test("a connection whose own address went is given up immediately", async () => {
  const gateway = new TestGateway();
  let line = "203.0.113.7";
  const gateways = { [first]: gateway };
  const { link, time, network, events } = linked([first], gateways, undefined, () => [line]);
  network.deadFrom.add(null);
  await time.advance(40_000);
  expect(events).toEqual(["welcome 1"]);
  line = "203.0.113.99";
  void link.linesChanged(3_000);
  await time.advance(1_500);
  expect(events).toEqual(["welcome 1", "lost: the address of the line changed", "welcome 1"]);
});

test("after a normal loss the routes choose first, then each line has its turn", async () => {
  const gateway = new TestGateway();
  const lines = ["198.51.100.2", "203.0.113.2"];
  const gateways = { [first]: gateway };
  const { time, network, events, logged } = linked([first], gateways, undefined, lines);
  await time.advance(40_000);
  for (const from of [null, lines[0] as string]) network.deadFrom.add(from);
  network.closeAll();
  await time.advance(120_000);
  expect(events.at(-1)).toBe("welcome 1");
  const tried = logged.flatMap((one) => ("source" in one && "waitMs" in one ? one.source : []));
  expect(tried).toEqual([null, null, lines[0]]);
});

test("a network that came back is tried immediately, however long the pause was to be", async () => {
  const gateway = new TestGateway();
  const lines = ["198.51.100.2", "203.0.113.2"];
  const { link, time, network, events } = linked([first], { [first]: gateway }, undefined, lines);
  await time.advance(40_000);
  network.isCut = true;
  await time.advance(300_000);
  expect(events.at(-1)).toBe("lost: the connection is dead");
  network.isCut = false;
  await link.reconnect(3_000);
  await time.advance(1_500);
  expect(events.at(-1)).toBe("welcome 1");
});

test("a connection that outlived a change of the network has to show it", async () => {
  const gateway = new TestGateway();
  const { link, time, network, events } = linked([first], { [first]: gateway });
  await time.advance(10_000);
  const asked = link.reconnect(3_000);
  await time.advance(3_000);
  await asked;
  expect(events).toEqual(["welcome 1"]);
  network.isCut = true;
  void link.reconnect(3_000);
  await time.advance(3_500);
  expect(events.at(-1)).toBe("lost: no answer after a line or link fell");
});

test("a rejected device keeps the pause that it was given, whatever changes", async () => {
  const gateway = new TestGateway();
  gateway.refuse = "rejected";
  const { link, time, events } = linked([first], { [first]: gateway });
  await time.advance(10_000);
  gateway.refuse = null;
  await link.reconnect(3_000);
  await time.advance(30_000);
  expect(events).toEqual([]);
});

test("a half-open connection is given up within three heartbeats", async () => {
  const gateway = new TestGateway();
  const { link, time, network, events } = linked([first], { [first]: gateway });
  await time.advance(40_000);
  expect(link.isConnected).toBe(true);
  network.isCut = true;
  await time.advance(46_000);
  expect(events).toEqual(["welcome 1", "lost: the connection is dead"]);
});

test("a device that is rejected permanently retries slowly, and immediately when it is admitted", async () => {
  const gateway = new TestGateway();
  gateway.refuse = "rejected";
  const { time, events, logged } = linked([first], { [first]: gateway });
  await time.advance(600_000);
  const waits = logged.flatMap(({ waitMs }) => waitMs ?? []);
  expect(waits.length).toBeGreaterThan(1);
  expect(waits.length).toBeLessThan(11);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(60_000);
  gateway.refuse = null;
  await time.advance(300_000);
  expect(events).toEqual(["welcome 1"]);
});

test("only a controller that has proved itself, of the newest epoch, removes a device", async () => {
  for (const spoil of [
    (gateway: TestGateway) => {
      gateway.isUnproven = true;
    },
    (gateway: TestGateway) => {
      gateway.forgeWelcome = true;
    },
    // The installation from before a restore: it has the same key.
    (gateway: TestGateway) => {
      gateway.epoch = 1;
    },
  ]) {
    const gateway = new TestGateway();
    gateway.epoch = 2;
    gateway.refuse = "removed";
    spoil(gateway);
    const { time, events, end, run } = linked([first], { [first]: gateway }, undefined, [], 2);
    await time.advance(600_000);
    expect(events).toEqual([]);
    end.abort();
    await time.advance(1);
    await run;
  }
  const gateway = new TestGateway();
  gateway.epoch = 2;
  gateway.refuse = "removed";
  const { time, events } = linked([first], { [first]: gateway }, undefined, [], 2);
  await time.advance(1_000);
  expect(events.at(-1)).toBe("removed");
});

test("what was sent has arrived when the gateway answers the ping behind it", async () => {
  const gateway = new TestGateway();
  const { link, time, network } = linked([first], { [first]: gateway });
  expect(await link.arrived()).toBe(false);
  await time.advance(100);
  const arrived = link.arrived();
  await time.advance(100);
  expect(await arrived).toBe(true);
  network.isCut = true;
  const lost = link.arrived();
  await time.advance(60_000);
  expect(await lost).toBe(false);
});

/** A server that sends what a test gives it, whatever it receives. */
const saying = (...texts: readonly string[]): Dial => ({
  open: (_target, _path, events) => {
    queueMicrotask(() => {
      events.open();
      for (const text of texts) events.message(text);
    });
    return {
      send: () => {},
      ping: () => {},
      buffered: () => 0,
      received: () => 0,
      source: () => null,
      keyHash: () => null,
      close: () => {},
    };
  },
  post: () => Promise.reject(new Error("not here")),
});
const challenge = JSON.stringify({ type: "challenge", protocols: [1], nonce: "n".repeat(32) });

test.each([
  ["no JSON", ["{"], /not JSON/],
  ["a message of no type", ['{"type":"reboot"}'], /violates the protocol/],
  ["a field too many", [`${challenge.slice(0, -1)},"more":1}`], /violates the protocol/],
  [
    "a head before the welcome",
    [challenge, '{"type":"head","head":{"epoch":1,"serial":1,"sections":{}}}'],
    /before the controller proved itself/,
  ],
  [
    "a welcome before the challenge",
    [`{"type":"welcome","signature":"${"s".repeat(86)}","epoch":1,"heartbeatSeconds":15}`],
    /out of order/,
  ],
  ["two challenges", [challenge, challenge], /second challenge/],
  [
    "only protocols of the future",
    ['{"type":"challenge","protocols":[2,3],"nonce":"nnnnnnnnnnnnnnnnnnnnnnnn"}'],
    /none of our protocols/,
  ],
  ["nothing at all", [], /no handshake in time/],
])("a server that says %s is left", async (_what, texts, reason) => {
  const gateway = new TestGateway();
  const { link, time, events, logged } = linked([first], { [first]: gateway }, saying(...texts));
  await time.advance(21_000);
  expect(logged.find((line) => line.waitMs)?.reason).toMatch(reason);
  expect(link.isConnected).toBe(false);
  expect(events).toEqual([]);
});

test("the link ends when it is aborted", async () => {
  const gateway = new TestGateway();
  const { time, end, run, events } = linked([first], { [first]: gateway });
  await time.advance(100);
  end.abort();
  await run;
  expect(events).toEqual(["welcome 1", "lost: the edge stops"]);
});

test("a controller that starts again is found within seconds, however long nothing listened", async () => {
  const gateway = new TestGateway();
  const { time, network, events, logged } = linked([first], { [first]: gateway });
  await time.advance(100);
  network.unserved.add(first);
  network.closeAll();
  await time.advance(600_000);
  expect(logged.filter(({ waitMs }) => waitMs !== undefined).length).toBeGreaterThan(75);
  network.unserved.delete(first);
  await time.advance(8_100);
  expect(events.at(-1)).toBe("welcome 1");
});

test("lines without their addresses delay no device whose controller starts again", async () => {
  const gateway = new TestGateway();
  const lines = ["100.64.0.2", "100.64.1.2"];
  const gateways = { [first]: gateway };
  const { time, network, events, logged } = linked([first], gateways, undefined, lines);
  await time.advance(40_000);
  network.unserved.add(first);
  network.closeAll();
  for (const line of lines) network.gone.add(line);
  await time.advance(600_000);
  network.unserved.delete(first);
  // One attempt as the routes lead; those of the lines between take half a second at most.
  await time.advance(8_100 + 2 * 600);
  expect(events.at(-1)).toBe("welcome 1");
  const waits = logged.flatMap(({ reason = "", waitMs = 0 }) =>
    /available/.test(reason) ? [waitMs] : [],
  );
  expect(Math.max(...waits)).toBeLessThanOrEqual(500);
});

test("each controller is tried from each line, also where connections are refused at once", async () => {
  const gateway = new TestGateway();
  const line = "203.0.113.2";
  const gateways = { [second]: gateway };
  const { time, network, events } = linked([first, second], gateways, undefined, [line]);
  // The other controller is down, and what the routes lead over resets connections.
  network.unserved.add(first);
  network.resetFrom.add(null);
  await time.advance(120_000);
  expect(events).toEqual(["welcome 1"]);
});

test("a line that loses its address between two controllers' turns does not keep the others from theirs", async () => {
  const gateway = new TestGateway();
  const [gone, left] = ["100.64.0.2", "203.0.113.2"];
  const gateways = { [first]: gateway, [second]: gateway };
  const { time, network, events, logged } = linked([first, second], gateways, undefined, [
    gone,
    left,
  ]);
  for (const from of [null, gone]) network.deadFrom.add(from);
  const isTried = ({ source, waitMs }: { source?: string | null; waitMs?: number }) =>
    source === gone && waitMs !== undefined;
  while (!logged.some(isTried)) await time.advance(10);
  network.gone.add(gone);
  await time.advance(600_000);
  expect(events).toEqual(["welcome 1"]);
});

test("pauses between attempts are jittered, grow to a minute and respect retryAfter", () => {
  const random = seededRandom(5);
  const none = { refusal: null, retryAfterMs: null, unanswered: null };
  const delays = (round: number, failure: Parameters<typeof reconnectDelay>[2] = none) =>
    Array.from({ length: 500 }, () => reconnectDelay(random, round, failure));
  const early = delays(0);
  expect(Math.min(...early)).toBeLessThan(1_500);
  expect(Math.max(...early)).toBeLessThanOrEqual(8_000);
  const late = delays(9);
  expect(Math.min(...late)).toBeGreaterThanOrEqual(1_000);
  expect(Math.max(...late)).toBeGreaterThan(55_000);
  expect(Math.max(...delays(1_000))).toBeLessThanOrEqual(60_000);
  expect(Math.max(...delays(9, { ...none, unanswered: "unserved" }))).toBeLessThanOrEqual(8_000);
  const asked = delays(0, { ...none, refusal: "busy", retryAfterMs: 12_000 });
  expect(Math.min(...asked)).toBeGreaterThanOrEqual(12_000);
  expect(Math.max(...asked)).toBeLessThanOrEqual(15_000);
  expect(Math.max(...delays(0, { ...none, refusal: "busy", retryAfterMs: 1e12 }))).toBeLessThan(
    4_600_000,
  );
});
