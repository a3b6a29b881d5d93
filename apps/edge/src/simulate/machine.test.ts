import { expect, test } from "vitest";
import { cpeState } from "../../test/states.ts";
import { VirtualClock } from "../../test/virtual-clock.ts";
import { simulatedMachine } from "./machine.ts";

const clients = {
  spaceId: 1,
  netns: null,
  interfaceName: "wm1",
  listenPort: 50_000,
  slot: 1,
  mtu: 1_420,
  address: "10.250.0.1/24",
  peers: [],
};

const shaping = { up: 9_000, down: null, lines: [] };
const limits = { loss: 2, rtt: 250, jitter: 50 };
const classes = [{ name: "bulk" as const, limits: { ...limits, loss: 10 }, dscp: [8] }];
const paths = { limits, returnAfter: 600, spaces: [{ spaceId: 3, limits, classes }] };
const segments = [{ spaceId: 1, netns: null, routes: [] }];
const accelerations = [{ spaceId: 1, netns: null, sources: [], groups: [], exit: null }];
const nameRule = { id: 1, names: ["games.example"], sources: null, time: null, denies: true };
const policy = { sets: [], limits: [], nameRules: [nameRule] };
const standby = {
  group: 1,
  role: "standby" as const,
  priority: 100,
  lans: [{ interfaceName: "lan0", own: "10.1.1.2/24", gateways: ["10.1.1.1/24"] }],
};
const system = { restartAt: null, flowRecords: true as const };
const applied = async (name: string) => {
  const time = new VirtualClock();
  const machine = simulatedMachine(time.process().clock, name);
  const optional = { shaping, paths, segments, standby, accelerations, system, policy };
  const state = { ...cpeState({ links: 3 }), clients: [clients], ...optional };
  for (const driver of machine.drivers) {
    const part = driver.pick(state);
    for (const step of driver.plan(part, await driver.observe(part))) await driver.run(step, part);
  }
  return { time, machine, state };
};

test("what was applied is there: planning again finds nothing to do", async () => {
  const { machine, state } = await applied("SN-0001");
  for (const driver of machine.drivers) {
    const part = driver.pick(state);
    expect(driver.plan(part, await driver.observe(part)), driver.name).toEqual([]);
    expect(part.size, driver.name).toBeGreaterThan(0);
  }
  expect(await machine.lines()).toEqual([
    { interfaceName: "wan1", addressing: "static", address: "100.64.1.2/24", up: true },
  ]);
});

test("metrics look like a network's, move with time, and are the same after every start", async () => {
  const { time, machine } = await applied("SN-0001");
  const seen: string[] = [];
  for (let turn = 0; turn < 400; turn += 1) {
    for (const link of await machine.measures()) {
      expect(link.rttMs).toBeGreaterThan(5);
      expect(link.rttMs).toBeLessThan(120);
      expect(link.lossPercent).toBeLessThan(10);
      expect(link.inRate).toBeGreaterThan(100_000);
      expect(Number.isInteger(link.inRate)).toBe(true);
    }
    seen.push(JSON.stringify(await machine.measures()));
    await time.advance(5_000);
  }
  expect(new Set(seen).size).toBe(400);
  const again = await applied("SN-0001");
  expect(JSON.stringify(await again.machine.measures())).toBe(seen[0]);
  const other = await applied("SN-0002");
  expect(JSON.stringify(await other.machine.measures())).not.toBe(seen[0]);
});

test("a WAN link sends no more than its rate, nor do its links", async () => {
  const { machine } = await applied("SN-0001");
  const sent = async () => {
    const { lines } = await machine.metrics();
    const links = await machine.measures();
    return {
      line: lines.find(({ interfaceName }) => interfaceName === "wan1")?.outRate ?? 0,
      links: links.reduce((sum, { outRate }) => sum + (outRate ?? 0), 0),
    };
  };
  const free = await sent();
  const rates = { ...shaping, lines: [{ slot: 1, up: 100 }] };
  machine.drivers
    .find(({ name }) => name === "shaping")
    ?.applied.set("rates", JSON.stringify(rates));
  const shaped = await sent();
  for (const sender of ["line", "links"] as const) {
    expect(free[sender]).toBeGreaterThan(100_000);
    expect(shaped[sender]).toBeLessThanOrEqual(100_000);
  }
});

test("a link that is not probed has rates but no quality", async () => {
  const { machine } = await applied("SN-0001");
  machine.drivers.find(({ name }) => name === "probe")?.applied.clear();
  const [link] = await machine.measures();
  expect(link).toMatchObject({ up: true, rttMs: null, jitterMs: null, lossPercent: null });
  expect(link?.inRate).toBeGreaterThan(0);
});

test("a line that falls takes its links with it immediately, and gives them back", async () => {
  const { machine } = await applied("SN-0001");
  let reported = 0;
  const undo = machine.watchLines(() => {
    reported += 1;
  });
  const ups = () => new Set(machine.verdicts().values());
  expect(ups()).toEqual(new Set([true]));
  machine.setLine("wan1", false);
  expect(reported).toBe(1);
  expect(ups()).toEqual(new Set([false]));
  expect((await machine.lines()).map(({ up }) => up)).toEqual([false]);
  machine.setLine("wan1", true);
  expect(ups()).toEqual(new Set([true]));
  undo();
  machine.setLine("wan1", false);
  expect(reported).toBe(2);
});

test("a simulated device reports its paths, and none of them has a better one when all are dead", async () => {
  const { time, machine } = await applied("SN-0001");
  const reports = machine.paths();
  expect(reports).toHaveLength(3);
  expect(reports.every(({ used, left }) => used && !left)).toBe(true);
  expect(reports.map(({ state }) => state)).toEqual(["ok", "ok", "ok"]);
  machine.setLine("wan1", false);
  await time.advance(5_000);
  expect(machine.paths().map(({ state }) => state)).toEqual(["blackout", "blackout", "blackout"]);
  expect(machine.moves.waiting).toEqual([]);
});
