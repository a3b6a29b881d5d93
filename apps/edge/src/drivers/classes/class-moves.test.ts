/** Classes of traffic take links of their own, against the kernel, WireGuard and FRR of this machine. */
import type { SpacePaths } from "@weft/contract/device/v1/path-classes.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import type { PathReport } from "#drivers/paths/engine.ts";
import { type NetnsEdge, type NetnsMachine, pings } from "../../../test/netns/host.ts";
import { cutPower } from "../../../test/netns/power.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  type World,
} from "../../../test/netns/world.ts";

const sites = makeSites();
const [one, two] = sites;
const popKey = newKey();
// A busy machine delays packets: only what is lost here is the line's.
const limits = { loss: 12, rtt: 2_000, jitter: 1_000 };
const classes: SpacePaths["classes"] = [
  { name: "realtime", limits: { ...limits, loss: 1 }, dscp: [46, 40, 34, 36, 38] },
  { name: "bulk", limits, dscp: [8] },
];
const measured = (state: DesiredState): DesiredState => ({
  ...state,
  paths: { limits, returnAfter: 10 },
});
/** @param loss that other traffic takes, percent */
const classed = (state: DesiredState, loss = limits.loss): DesiredState => {
  const space = { spaceId: 1, limits: { ...limits, loss }, classes };
  return { ...state, paths: { limits, returnAfter: 10, spaces: [space] } };
};

const popPlain = popState(
  [
    { site: one, slots: [1] },
    { site: two, slots: [1, 2] },
  ],
  popKey,
);
const popWants = classed(popPlain);
const cpeWants = classed(cpeState(two, popKey, [1, 2]));
const cpeStrict = classed(cpeState(two, popKey, [1, 2]), 1);
const cpePlain = measured(cpeState(two, popKey, [1, 2]));

let world: World;
let pop: NetnsEdge;
let cpe: NetnsEdge;

const far = { 4: "10.1.1.100", 6: "fd57:1:1::100" } as const;
/** As ping(8) takes a code point: it is the upper six bits. */
const kinds = { plain: 0, voice: 46 * 4, bulk: 8 * 4 } as const;
type Kind = keyof typeof kinds;

/** Counts what comes to the POP by each link, by code point and family. */
const countAtPop = async (): Promise<void> => {
  const names = ["wl21", "wl22"].flatMap((link) =>
    ["ip", "ip6"].flatMap((family) =>
      Object.entries(kinds).map(([kind, tos]) => ({ link, family, kind, dscp: tos / 4 })),
    ),
  );
  const counters = names.map(({ link, family, kind }) => `counter ${link}_${family}_${kind} { }`);
  const rules = names.map(
    ({ link, family, kind, dscp }) =>
      `iifname "${link}" ${family} daddr ${family === "ip" ? far[4] : far[6]} ${family} dscp ${dscp} counter name ${link}_${family}_${kind}`,
  );
  await world.pop.run(["nft", "-f", "-"], {
    netns: "weft-s1",
    input: `table inet t_seen {\n${counters.join("\n")}\nchain c {\ntype filter hook prerouting priority 0;\n${rules.join("\n")}\n}\n}\n`,
  });
};

interface Listed {
  readonly counter?: { readonly name: string; readonly packets: number };
}
const counts = async (): Promise<Map<string, number>> => {
  const text = await world.pop.run(["nft", "-j", "list", "counters", "table", "inet", "t_seen"], {
    netns: "weft-s1",
  });
  const { nftables } = JSON.parse(text) as { nftables: readonly Listed[] };
  return new Map(
    nftables.flatMap(({ counter }) => (counter ? [[counter.name, counter.packets] as const] : [])),
  );
};

const ping = (kind: Kind, family: 4 | 6, packets = 5) =>
  world.hosts[1].run([
    ...(["ping", `-${family}`, "-n", "-q", "-i", "0.05", "-W", "1"] as const),
    "-c",
    `${packets}`,
    "-Q",
    `${kinds[kind]}`,
    far[family],
  ]);

/** Link by which packets of a kind come to the POP now; null: by both, or none. */
const linkOf = async (kind: Kind, family: 4 | 6): Promise<string | null> => {
  const before = await counts();
  await ping(kind, family).catch(() => "");
  const after = await counts();
  const came = ["wl21", "wl22"].filter((link) => {
    const name = `${link}_${family === 4 ? "ip" : "ip6"}_${kind}`;
    return (after.get(name) ?? 0) > (before.get(name) ?? 0);
  });
  return came.length === 1 ? (came[0] ?? null) : null;
};

const ways = async () => ({
  voice: [await linkOf("voice", 4), await linkOf("voice", 6)],
  bulk: [await linkOf("bulk", 4), await linkOf("bulk", 6)],
  plain: [await linkOf("plain", 4), await linkOf("plain", 6)],
});
const allBy = (link: string) => [link, link];

/** Loses a share of what CPE two sends by a WAN link, which enters the network between by this port. */
const lose = (port: string, percent: number) => {
  const chain = `chain ingress { type filter hook ingress device "${port}" priority 0; numgen random mod 100 < ${percent} drop; }\n`;
  const input = `add table netdev f_${port}\ndelete table netdev f_${port}\ntable netdev f_${port} { ${chain} }\n`;
  return world.inet.run(["nft", "-f", "-"], { input });
};
const cut = (port: string) => world.inet.run(["ip", "link", "set", port, "down"]);
const mend = (port: string) => world.inet.run(["ip", "link", "set", port, "up"]);
const heal = (port: string) =>
  world.inet.run(["nft", "-f", "-"], {
    input: `add table netdev f_${port}\ndelete table netdev f_${port}\n`,
  });

/** Traffic of the class, as long as the work takes: what carries nothing is measured seldom. */
const under = async <Value>(kind: Kind, work: () => Promise<Value>): Promise<Value> => {
  const flow = world.hosts[1]
    .run(["ping", "-n", "-q", "-i", "0.01", "-w", "30", "-Q", `${kinds[kind]}`, far[4]])
    .catch(() => "");
  const value = await work();
  await world.hosts[1].run(["sh", "-c", "kill $(pgrep -x ping)"]).catch(() => "");
  await flow;
  return value;
};

const reports = async (edge: NetnsEdge) =>
  new Map(((await edge.ask("paths")) as PathReport[]).map((report) => [report.link, report]));
const areGood = async () => {
  const all = [...(await reports(cpe)).values(), ...(await reports(pop)).values()];
  return all.length === 5 && all.every(({ state, left }) => state === "ok" && !left);
};

/** All that classes leave in the kernel of a device. */
const traces = async ({ run }: NetnsMachine, netns: string | null): Promise<string> =>
  [
    await run(["ip", "-4", "rule"], { netns }),
    await run(["ip", "-6", "rule"], { netns }),
    await run(["ip", "-4", "route", "show", "table", "all", "proto", "99"], { netns }),
    await run(["ip", "-6", "route", "show", "table", "all", "proto", "99"], { netns }),
    await run(["nft", "list", "tables"], { netns }),
  ].join("\n");

const boot = async (): Promise<void> => {
  cpe = await world.cpes[1].edge(two.key);
  await cpe.boot(cpeWants);
};

/** The link to the POP that a packet of the class goes by, as reported. */
const carries = async (link: number, name: "realtime" | "bulk"): Promise<boolean> =>
  ((await reports(cpe)).get(link)?.classes ?? []).includes(name);

const leavesFirst = async (): Promise<void> => {
  await waitUntil("all paths are good", areGood, 120_000, 100);
  await lose("c2", 3);
  await under("voice", () =>
    waitUntil("the class's way", () => carries(22, "realtime"), 60_000, 50),
  );
  await waitUntil("its route", async () => (await linkOf("voice", 4)) === "wl22", 30_000, 50);
};

beforeAll(async () => {
  world = await createWorld(sites);
  pop = await world.pop.edge(popKey);
  const other = await world.cpes[0].edge(one.key);
  await pop.apply(popWants);
  await boot();
  await cpe.deliver(cpePlain);
  await other.apply(measured(cpeState(one, popKey, [1])));
  await waitUntil("a packet across", () => pings(world.hosts[1], far[4], 1), 60_000, 50);
  await countAtPop();
}, 300_000);

afterAll(async () => {
  await world?.remove();
}, 30_000);

describe("classes of traffic", { timeout: 240_000 }, () => {
  afterEach(async () => {
    await mend("c2");
    await heal("c2");
    await heal("isp2");
  });

  it("leave no trace when they are removed", async () => {
    const before = await traces(world.cpes[1], null);
    await cpe.deliver(cpeWants);
    expect(await traces(world.cpes[1], null)).not.toBe(before);
    await cpe.deliver(cpePlain);
    expect(await traces(world.cpes[1], null)).toBe(before);
    await pop.apply(measured(popPlain));
    const atPop = await traces(world.pop, "weft-s1");
    expect(atPop).not.toContain("121");
    await pop.apply(popWants);
    expect(await traces(world.pop, "weft-s1")).not.toBe(atPop);
  });

  it("are rolled back when nothing confirms them", async () => {
    const before = await traces(world.cpes[1], null);
    await cpe.ask("deliver", cpeWants);
    await cpe.ask("miss");
    expect(await traces(world.cpes[1], null)).toBe(before);
  });

  it("take the link that all take while it is good", async () => {
    await cpe.deliver(cpeWants);
    await waitUntil("all paths are good", areGood, 120_000, 100);
    expect(await ways()).toEqual({
      voice: allBy("wl21"),
      bulk: allBy("wl21"),
      plain: allBy("wl21"),
    });
  });

  it("leave a link that loses 3 % if their limit is below, and return when it is good", async () => {
    await leavesFirst();
    expect(await ways()).toEqual({
      voice: allBy("wl22"),
      bulk: allBy("wl21"),
      plain: allBy("wl21"),
    });
    expect(await cpe.ask("moves")).toMatchObject([
      { from: 21, to: 22, reason: "loss", trafficClass: "realtime" },
    ]);
    expect((await reports(cpe)).get(21)).toMatchObject({ used: true, classes: ["bulk"] });
    // Each direction for itself: the POP sends as before.
    expect((await reports(pop)).get(21)?.classes).toEqual(["realtime", "bulk"]);
    // The state is the same, and nothing of it has drifted.
    await cpe.settled(cpeWants);
    await pop.settled(popWants);
    await heal("c2");
    await waitUntil("the return", async () => (await linkOf("voice", 4)) === "wl21", 120_000, 100);
    expect((await cpe.ask("moves")) as unknown[]).toMatchObject([
      { reason: "loss" },
      { from: 22, to: 21, reason: "returned", trafficClass: "realtime" },
    ]);
    await waitUntil(
      "an empty table",
      async () => !(await traces(world.cpes[1], null)).includes("dev wl22 table 121"),
      30_000,
      50,
    );
  });

  it("follow the state on the disk after a power cut", async () => {
    await cutPower(world.cpes[1]);
    await boot();
    await waitUntil("a packet across", () => pings(world.hosts[1], far[4], 1), 60_000, 50);
    await leavesFirst();
  });

  it("stay on a link that other traffic leaves, and fall back to its link when theirs is cut", async () => {
    await cpe.deliver(cpeStrict);
    await leavesFirst();
    await under("plain", () =>
      waitUntil(
        "the way of all others",
        async () => (await reports(cpe)).get(22)?.used === true,
        60_000,
        50,
      ),
    );
    await waitUntil("its route", async () => (await linkOf("plain", 4)) === "wl22", 30_000, 50);
    expect(await ways()).toEqual({
      voice: allBy("wl22"),
      bulk: allBy("wl21"),
      plain: allBy("wl22"),
    });
    await cut("c2");
    await waitUntil(
      "packets of the class",
      async () => (await linkOf("bulk", 4)) === "wl22",
      60_000,
      20,
    );
    expect(await linkOf("bulk", 6)).toBe("wl22");
    // The device goes on measuring, and takes the link again. What carries nothing is measured seldom: of a few samples a
    // line that still lost 3 % would lose more than the class takes, time after time.
    await mend("c2");
    await heal("c2");
    await waitUntil(
      "the link again",
      async () => (await linkOf("bulk", 4)) === "wl21",
      120_000,
      100,
    );
  });
});

describe("real-time traffic with a link over a special line", { timeout: 600_000 }, () => {
  const lossy = { ...limits, loss: 10 };
  const space = {
    spaceId: 1,
    limits: lossy,
    classes: classes.map((one) => ({ ...one, limits: lossy })),
  };
  const chosen = (state: DesiredState, spaces: SpacePaths[]): DesiredState => ({
    ...state,
    paths: { limits: lossy, returnAfter: 10, spaces },
  });
  const special = (state: DesiredState): DesiredState =>
    chosen(state, [{ ...space, special: [22] }]);
  const wants = special(cpeState(two, popKey, [1, 2]));
  const common = chosen(cpeState(two, popKey, [1, 2]), [space]);
  const voiceBy = (link: string) => async () =>
    JSON.stringify((await ways()).voice) === JSON.stringify(allBy(link));
  /** What traffic of no class, and of another, takes all the time. */
  const usual = { bulk: allBy("wl21"), plain: allBy("wl21") };

  beforeAll(async () => {
    // Nothing that was left before stays behind.
    await cutPower(world.cpes[1]);
    await boot();
    await cpe.deliver(common);
    await waitUntil("the usual link", voiceBy("wl21"), 300_000, 100);
  }, 400_000);
  afterEach(() => heal("isp2"));

  it("takes it without a fault anywhere, and no other traffic does", async () => {
    await cpe.deliver(wants);
    await waitUntil("the special line", voiceBy("wl22"), 300_000, 100);
    expect(await ways()).toMatchObject(usual);
    await cpe.settled(wants);
    await pop.apply(special(popPlain));
    // Other classes return only after their pause, where the test before had moved them.
    const carried = async (): Promise<string> =>
      (await reports(pop)).get(22)?.classes?.join(" ") ?? "none";
    await waitUntil(
      "real-time traffic alone",
      async () => (await carried()) === "realtime",
      300_000,
    );
  });

  it("leaves one that exceeds the limits like any other, and returns to it", async () => {
    await lose("isp2", 30);
    await under("voice", () =>
      waitUntil("the class's way", () => carries(21, "realtime"), 300_000, 50),
    );
    await waitUntil("the common line", voiceBy("wl21"), 300_000, 50);
    await heal("isp2");
    await waitUntil("the special line again", voiceBy("wl22"), 300_000, 100);
    expect(await ways()).toMatchObject(usual);
  });

  it("has its routes again when the kernel has lost them", async () => {
    for (const family of ["-4", "-6"])
      await world.cpes[1].run(["ip", family, "route", "flush", "table", "121"]);
    await waitUntil("the special line again", voiceBy("wl22"), 300_000, 100);
  });

  it("takes it after a power cut by the state on the disk", async () => {
    await cutPower(world.cpes[1]);
    cpe = await world.cpes[1].edge(two.key);
    await cpe.boot(wants);
    await waitUntil("the special line after a boot", voiceBy("wl22"), 300_000, 100);
    expect(await ways()).toMatchObject(usual);
  });

  it("takes it again when a state without it is rolled back", async () => {
    await cpe.ask("deliver", common);
    await waitUntil("the usual link for now", voiceBy("wl21"), 300_000, 100);
    await cpe.ask("miss");
    await waitUntil("the special line after the rollback", voiceBy("wl22"), 300_000, 100);
  });

  it("takes the usual link when the line is special no longer, and nothing is left", async () => {
    await cpe.deliver(common);
    await pop.apply(popWants);
    await waitUntil("the usual link", voiceBy("wl21"), 300_000, 100);
    const left = async () => (await traces(world.cpes[1], null)).includes("dev wl22 table 121");
    await waitUntil("an empty table", async () => !(await left()), 30_000, 100);
  });
});
