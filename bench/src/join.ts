/** Sites that are enrolled and idle join a space: when do their hosts reach each other? Real packets. */
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { mustExec } from "@weft/lab/enter.ts";
import { addEnterprise, addPop, addSite, addSpace, confirmed, enrol } from "@weft/lab/operator.ts";
import { siteHost, sitesLab } from "@weft/lab/spec.ts";
import { startWorld, type World } from "@weft/lab/world.ts";
import { isMachineBusy } from "./idle.ts";
import type { Result } from "./report.ts";

/** How many sites join together, how often, and within how many seconds they should have joined. */
const runs = [
  { count: 2, rounds: 3, atMost: 3 },
  { count: 16, rounds: 1, atMost: 6 },
] as const;
const settleMs = 240_000;

interface Sites {
  readonly groupid: number;
  readonly pop: number;
  readonly cpes: readonly number[];
}

async function enrolled(world: World, count: number): Promise<Sites> {
  const { call } = world;
  const groupid = await addEnterprise(call, "join");
  const pop = await addPop(call, "pop", 10);
  const cpes: number[] = [];
  for (let site = 1; site <= count; site++) {
    const place = { network: `10.1.${site}.1/24`, network6: `fd00:1:${site}::1/64` };
    cpes.push(await addSite(call, { groupid, device: `cpe${site}`, octet: 10 + site, ...place }));
  }
  await enrol(world, "pop", pop);
  for (const [index, id] of cpes.entries()) await enrol(world, `cpe${index + 1}`, id);
  await settled(world, { groupid, pop, cpes });
  return { groupid, pop, cpes };
}

async function settled({ call }: World, { pop, cpes }: Sites): Promise<void> {
  for (const id of [pop, ...cpes]) await confirmed(call, id, settleMs);
}

/** Asks each of the hosts, every 50 ms, until all have answered once. */
const untilAllAnswer = (world: World, hosts: readonly string[]): Promise<unknown> => {
  const ask = (host: string) =>
    `(until ping -n -c 1 -W 0.2 ${host} >/dev/null 2>&1; do sleep 0.05; done) &`;
  const script = `${hosts.map(ask).join(" ")} wait`;
  return mustExec(world.lab, siteHost(1), ["sh", "-c", script], { timeout: settleMs });
};

/** @returns seconds from the call that makes the space to an answer of every far host */
async function join(world: World, sites: Sites, round: number): Promise<number> {
  const { groupid, pop, cpes } = sites;
  const all = untilAllAnswer(
    world,
    cpes.slice(1).map((_, index) => `10.1.${index + 2}.100`),
  );
  // The first failure ends the run: without this the other one would end it without a message.
  all.catch(() => {});
  const from = performance.now();
  const space = { name: `join-${round}`, groupid, topology: 0 as const, popIds: [pop] };
  const id = await addSpace(world.call, { ...space, cpeIds: [...cpes] });
  await all;
  const seconds = (performance.now() - from) / 1_000;
  await settled(world, sites);
  await world.call(netSpace.ops.remove, { ids: [id] });
  await settled(world, sites);
  return seconds;
}

export async function* joins(): AsyncIterable<Result> {
  for (const { count, rounds, atMost } of runs) {
    const isVoid = isMachineBusy();
    const world = await startWorld(sitesLab(count));
    try {
      const sites = await enrolled(world, count);
      const all: number[] = [];
      for (let round = 0; round < rounds; round++) all.push(await join(world, sites, round));
      const worst = Math.max(...all);
      yield {
        bench: "join",
        what: `${count} sites join a space, to a packet between all hosts, worst of ${rounds}`,
        yardstick: { name: "machines on these cores", value: count + 1, unit: "" },
        subject: { value: worst, unit: "s" },
        measured: { value: worst, unit: "s" },
        goal: { atMost },
        spread: [Math.min(...all), worst],
        rounds,
        isVoid,
      };
    } finally {
      await world.close();
    }
  }
}
