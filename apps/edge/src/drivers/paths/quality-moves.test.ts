/** Traffic leaves a line that becomes bad, against the kernel, WireGuard and FRR of this machine. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { type NetnsEdge, type NetnsMachine, pings } from "../../../test/netns/host.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  type World,
} from "../../../test/netns/world.ts";
import type { PathReport } from "./engine.ts";

const sites = makeSites();
const [one, two] = sites;
const popKey = newKey();
const paths = { limits: { loss: 2, rtt: 250, jitter: 50 }, returnAfter: 10 };
const measured = (state: DesiredState): DesiredState => ({ ...state, paths });

const popWants = measured(
  popState(
    [
      { site: one, slots: [1] },
      { site: two, slots: [1, 2] },
    ],
    popKey,
  ),
);
const cpeWants = measured(cpeState(two, popKey, [1, 2]));

let world: World;
let pop: NetnsEdge;
let cpe: NetnsEdge;

beforeAll(async () => {
  world = await createWorld(sites);
  pop = await world.pop.edge(popKey);
  cpe = await world.cpes[1].edge(two.key);
  const other = await world.cpes[0].edge(one.key);
  await pop.apply(popWants);
  await cpe.apply(cpeWants);
  await other.apply(measured(cpeState(one, popKey, [1])));
  await waitUntil("a packet across", () => pings(world.hosts[1], "10.1.1.100", 1), 60_000, 50);
}, 120_000);

afterAll(async () => {
  await world?.remove();
}, 30_000);

/** Loses a share of what goes into a port of the network between the devices, in the direction towards it or away. */
const lose = (port: string, percent: number, hook: "ingress" | "egress" | "both") => {
  const hooks = hook === "both" ? ["ingress", "egress"] : [hook];
  const chains = hooks.map(
    (name) =>
      `chain ${name} { type filter hook ${name} device "${port}" priority 0; numgen random mod 100 < ${percent} drop; }\n`,
  );
  const input = `add table netdev f_${port}\ndelete table netdev f_${port}\ntable netdev f_${port} { ${chains.join("")} }\n`;
  return world.inet.run(["nft", "-f", "-"], { input });
};
const heal = (port: string) =>
  world.inet.run(["nft", "-f", "-"], {
    input: `add table netdev f_${port}\ndelete table netdev f_${port}\n`,
  });

const reports = async (edge: NetnsEdge) =>
  new Map(((await edge.ask("paths")) as PathReport[]).map((report) => [report.link, report]));
const usedBy = async (edge: NetnsEdge): Promise<number[]> =>
  [...(await reports(edge)).values()].filter(({ used }) => used).map(({ link }) => link);

/** Interface of the route, as the kernel has it. */
const routeOf = async (machine: NetnsMachine, prefix: string, netns: string | null) =>
  / dev (\S+)/.exec(await machine.run(["ip", "route", "show", prefix], { netns }))?.[1];
const up = () => routeOf(world.cpes[1], "10.1.1.0/24", null);
const down = () => routeOf(world.pop, "10.0.0.0/24", "weft-s1");

/** Packets that an interface of the POP's space received. */
const received = async (link: string): Promise<number> =>
  Number(
    (
      await world.pop.run(["cat", `/sys/class/net/${link}/statistics/rx_packets`], {
        netns: "weft-s1",
      })
    ).trim(),
  );

const areGood = async () => {
  const all = [...(await reports(cpe)).values(), ...(await reports(pop)).values()];
  return all.length === 5 && all.every(({ state, left }) => state === "ok" && !left);
};
/** Both ends start again, as after a reboot. */
const settle = async () => {
  for (const machine of [world.pop, world.cpes[1]])
    await machine.run(["rm", "-f", "/run/weft/paths.json"]);
  [pop, cpe] = await Promise.all([world.pop.edge(popKey), world.cpes[1].edge(two.key)]);
  await Promise.all([pop.apply(popWants), cpe.apply(cpeWants)]);
  await waitUntil("all paths are good", areGood, 120_000, 100);
};

const flow = (seconds: number) =>
  world.hosts[1].run(["ping", "-n", "-q", "-i", "0.01", "-w", `${seconds}`, "10.1.1.100"]).then(
    (text) => text,
    () => "",
  );

describe("a line that becomes bad", { timeout: 240_000 }, () => {
  afterEach(async () => {
    await heal("c2");
    await heal("isp2");
  });

  it("is measured in both directions by both ends", async () => {
    await settle();
    const quality = (await reports(cpe)).get(21)?.quality;
    expect(quality?.lossPercent).toBe(0);
    expect(quality?.rttMs).toBeGreaterThan(0);
    expect(await up()).toBe("wl21");
    expect(await down()).toBe("wl21");
  });

  it("in both directions is left in both, with a reason, and taken again when it is good", async () => {
    await settle();
    const pinging = flow(15);
    await lose("c2", 10, "both");
    await waitUntil("the way up", async () => (await up()) === "wl22", 60_000, 20);
    await waitUntil("the way down", async () => (await down()) === "wl22", 60_000, 20);
    await pinging;
    const before = [await received("wl21"), await received("wl22")] as const;
    await flow(2);
    const after = [await received("wl21"), await received("wl22")] as const;
    expect(after[1] - before[1]).toBeGreaterThan(150);
    expect(after[0] - before[0]).toBeLessThan((after[1] - before[1]) / 2);
    expect((await reports(cpe)).get(21)).toMatchObject({ state: "brownout", used: false });
    expect(await cpe.ask("moves")).toMatchObject([{ from: 21, to: 22, reason: "loss" }]);
    expect(await pop.ask("moves")).toMatchObject([{ from: 21, to: 22, reason: "loss" }]);
    // The state is the same, and nothing of it has drifted.
    await cpe.settled(cpeWants);
    await pop.settled(popWants);
    await heal("c2");
    await waitUntil("the return up", async () => (await up()) === "wl21", 120_000, 100);
    await waitUntil("the return down", async () => (await down()) === "wl21", 120_000, 100);
    expect((await cpe.ask("moves")) as unknown[]).toMatchObject([
      { reason: "loss" },
      { from: 22, to: 21, reason: "returned" },
    ]);
  });

  it("in one direction is left in that direction alone", async () => {
    await settle();
    // What CPE two sends enters the network between them by this port.
    await lose("c2", 10, "ingress");
    const pinging = flow(15);
    await waitUntil("the way up", async () => (await up()) === "wl22", 60_000, 20);
    await pinging;
    expect(await down()).toBe("wl21");
    expect(await usedBy(pop)).toContain(21);
  });

  it("is not left for one that is as bad", async () => {
    await settle();
    await lose("isp2", 10, "both");
    await waitUntil(
      "the second line is known to be bad",
      async () => (await reports(cpe)).get(22)?.state === "brownout",
      60_000,
      50,
    );
    const before = ((await cpe.ask("moves")) as unknown[]).length;
    await lose("c2", 10, "both");
    await flow(20);
    const moves = ((await cpe.ask("moves")) as unknown[]).length - before;
    expect(moves).toBeLessThanOrEqual(1);
    expect((await reports(cpe)).get(21)?.state).toBe("brownout");
  });

  it("stays left when the program that measures starts again", async () => {
    await settle();
    await lose("c2", 10, "both");
    const pinging = flow(10);
    await waitUntil("the way up", async () => (await up()) === "wl22", 60_000, 20);
    await pinging;
    cpe = await world.cpes[1].edge(two.key);
    await cpe.apply(cpeWants);
    await cpe.settled(cpeWants);
    expect(await up()).toBe("wl22");
    expect((await reports(cpe)).get(21)).toMatchObject({ left: true });
  });
});
