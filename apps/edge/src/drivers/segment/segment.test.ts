/** Segment routes over three POPs, with real daemons and packets: in order, and withdrawn when a hop is gone. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import {
  createSegmentWorld,
  type Member,
  type Route,
  type SegmentWorld,
  space,
} from "../../../test/netns/segment-world.ts";

const pops = ["pop1", "pop2", "pop3"] as const;
const four: Route = {
  id: 7,
  destination: "10.1.2.0/24",
  reach: "10.1.2.128",
  pops,
  from: "cpe1",
  mark: (hop) => `198.18.0.${16 + hop}`,
};
const six: Route = {
  id: 8,
  destination: "fd57:1:2::/64",
  reach: "fd57:1:2::80",
  pops,
  from: "cpe1",
  mark: (hop) => `fd57:ee::1${hop}`,
};
/** From all sites, by the POPs that ordinary routing would not take. */
const fromAll: Route = {
  ...four,
  id: 9,
  pops: ["pop1", "pop2"],
  from: null,
  mark: (hop) => `198.18.0.${32 + hop}`,
};
const far = "10.1.2.100";
const far6 = "fd57:1:2::100";
const ordinary = "pop1 host";
const inOrder = "pop1 pop2 pop3 host";
const all: readonly Member[] = ["cpe1", "cpe2", ...pops];
let world: SegmentWorld;

const becomes = async (target: string, way: string): Promise<void> => {
  let seen = "";
  const isSo = async () => {
    seen = await world.way(0, target);
    return seen === way;
  };
  await waitUntil(`the way to ${target} is ${way}`, isSo, 60_000, 100).catch((error: unknown) => {
    throw new Error(`it is ${seen}`, { cause: error });
  });
};

const cutOf = async (name: Member, routes: readonly Route[]): Promise<string[]> =>
  (await world.edges[name].findings(world.state(name, routes))).flatMap(({ reason, params }) =>
    reason.startsWith("segment") ? [`${reason} ${params.id}`] : [],
  );

/** Times to live that ended at the POPs of the space: what goes in circles ends so. */
const expired = async (): Promise<number> => {
  const texts = await Promise.all(
    pops.map((name) => world.machines[name].run(["cat", "/proc/net/snmp"], { netns: space })),
  );
  return texts
    .map((text) => {
      const [names = "", values = ""] = text.split("\n").filter((line) => line.startsWith("Icmp:"));
      return Number(values.split(" ")[names.split(" ").indexOf("OutTimeExcds")]);
    })
    .reduce((sum, one) => sum + one, 0);
};

beforeAll(async () => {
  world = await createSegmentWorld();
  await world.apply([]);
  await becomes(far, ordinary);
  await becomes(far6, ordinary);
  await world.watched();
}, 240_000);

afterEach(() => world.cut());

afterAll(async () => {
  await world?.remove();
}, 30_000);

describe("segment routes", { timeout: 240_000 }, () => {
  it("are crossed in order, in both families, and replies come as before", async () => {
    await world.apply([four, six]);
    await becomes(far, inOrder);
    await becomes(far6, inOrder);
    expect(await world.way(1, "10.1.1.100")).toBe(ordinary);
    expect(await world.way(1, "fd57:1:1::100")).toBe(ordinary);
    for (const name of all) {
      expect(await world.edges[name].plan(world.state(name, [four, six]))).toEqual([]);
      await waitUntil(
        `${name} reports nothing`,
        async () => (await cutOf(name, [four, six])).length === 0,
        20_000,
        200,
      );
    }
  });

  it("are withdrawn where a hop further on is cut, without a circle, and come back", async () => {
    const before = await expired();
    const ping = ["ping", "-n", "-q", "-i", "0.02", "-c", "300", far] as const;
    const pinging = world.hosts[0].run(ping, { timeoutMs: 120_000 });
    await world.cut(["pop2", "pop3"]);
    // Its way asked for by time to live would count as well: routes say it.
    const table = () => world.machines.cpe1.run(["ip", "route", "show", "table", "100007"]);
    await waitUntil("the first hop is left", async () => (await table()) === "", 60_000, 20);
    expect(await pinging).toMatch(/ [1-9]\d* received/);
    expect(await expired()).toBe(before);
    await becomes(far, ordinary);
    await becomes(far6, ordinary);
    for (const name of ["cpe1", "pop1", "pop2"] as const)
      await waitUntil(
        `${name} reports it`,
        async () => (await cutOf(name, [four, six])).join() === "segmentCut 7,segmentCut 8",
        20_000,
        200,
      );
    expect(await cutOf("pop3", [four, six])).toEqual([]);
    await world.cut();
    await becomes(far, inOrder);
    await world.watched();
  });

  it("are withdrawn when the POP in the middle is gone, and its program's end changes nothing", async () => {
    world.edges.pop2.kill();
    await becomes(far, inOrder);
    await world.inet.run(["ip", "link", "set", "pop2", "down"]);
    await becomes(far, ordinary);
    await world.inet.run(["ip", "link", "set", "pop2", "up"]);
    await becomes(far, inOrder);
    await world.start("pop2");
    await world.edges.pop2.apply(world.state("pop2", [four, six]));
    await becomes(far, inOrder);
    await world.watched();
  });

  it("are withdrawn when the last POP has no route to the destination", async () => {
    // It has it neither from the site nor from another POP.
    await world.cut(["pop3", "cpe2"], ["pop3", "pop1"], ["pop2", "cpe2"]);
    await becomes(far, ordinary);
    await waitUntil(
      "the last POP reports it",
      async () => (await cutOf("pop3", [four, six])).includes("segmentEnd 7"),
      20_000,
      200,
    );
    await world.cut();
    await becomes(far, inOrder);
  });

  it("come back after a power cut, before any contact, on a site and on a POP", async () => {
    for (const name of ["cpe1", "pop2"] as const) {
      const state = world.state(name, [four, six]);
      await world.edges[name].boot(state);
      await world.edges[name].deliver(state);
      await world.cutPower(name);
      await world.start(name);
      expect(await world.edges[name].boot(state)).toBeGreaterThan(0);
      await becomes(far, inOrder);
      await becomes(far6, inOrder);
    }
  });

  it("are removed without a trace, and rolled back when nothing confirms them", async () => {
    await world.apply([]);
    await becomes(far, ordinary);
    const before = new Map<Member, string>();
    for (const name of all) before.set(name, await world.traces(name));
    await world.apply([four, six]);
    await becomes(far, inOrder);
    for (const name of ["cpe1", ...pops] as const)
      expect(await world.traces(name)).not.toBe(before.get(name));
    await world.apply([]);
    for (const name of all) expect(await world.traces(name)).toBe(before.get(name));
    const { pop2 } = world.edges;
    await pop2.deliver(world.state("pop2"));
    for (const name of ["cpe1", "pop1", "pop3"] as const)
      await world.edges[name].apply(world.state(name, [four]));
    const clean = await world.traces("pop2");
    await pop2.ask("deliver", world.state("pop2", [four]));
    await becomes(far, inOrder);
    await pop2.ask("miss");
    expect(await world.traces("pop2")).toBe(clean);
    await becomes(far, ordinary);
    await world.apply([]);
  });

  it("from everywhere are left at the last POP, also when its way on is by the first", async () => {
    await world.apply([fromAll]);
    await becomes(far, "pop1 pop2 host");
    await world.watched();
    await world.cut(["pop2", "cpe2"], ["pop3", "cpe2"]);
    await becomes(far, "pop1 pop2 pop1 host");
    await world.cut();
  });
});
