/** From a save's COMMIT to the confirmation of the last edge: one edge, and a thousand at once. */

import type { Child } from "./child.ts";
import { isConfirmed, numberOf, until } from "./fleet.ts";
import type { Installation } from "./installation.ts";
import { cpuSeconds } from "./process-usage.ts";
import { type Result, ratioResult } from "./report.ts";
import { alternate, defaultRounds, median, percentile, type Round, summarise } from "./rounds.ts";
import { firstEnterprise } from "./seed.ts";
import { openTpcB } from "./sql-load.ts";

const clients = 16;
const ms = 2_500;
const limitMs = 300_000;
/** Edits of one edge, one after the other. */
const edits = 20;

/**
 * Changes a static route of these nodes and leaves the one change row that a save leaves, in one
 * transaction; gives the moment of its COMMIT as the database has it (seconds).
 */
async function save({ sql }: Installation, nodes: readonly number[]): Promise<number> {
  const client = await sql.connect();
  try {
    await client.query("begin");
    await client.query(
      "update static_route set metric = 1 + metric % 250 where node_id = any($1)",
      [nodes],
    );
    await client.query(
      `insert into change (enterprise_id, node_ids, cause, created_by) values (${firstEnterprise}, $1, 'bench', ${firstEnterprise})`,
      [nodes],
    );
    await client.query("commit");
    await client.query("notify weft_change");
    const { rows } = await client.query(
      "select extract(epoch from clock_timestamp())::float8 as n",
    );
    return Number((rows[0] as { n: number }).n);
  } finally {
    client.release();
  }
}

/** Seconds from the commit to each confirmation of these nodes' newest states. */
async function waits(installation: Installation, nodes: readonly number[]): Promise<number[]> {
  const { sql } = installation;
  const from = await save(installation, nodes);
  await until(() => isConfirmed(sql), "all confirmed", limitMs);
  const { rows } = await sql.query<{ n: number }>(
    `select extract(epoch from max(ended_at))::float8 as n from node_state
     where node_id = any($1) and outcome = 'confirmed' group by node_id`,
    [nodes],
  );
  const late = rows.map(({ n }) => n - from);
  if (late.some((seconds) => seconds < 0)) throw new Error("a node got no new state");
  return late;
}

const seconds = (
  names: { what: string; yardstick: string; value: number },
  all: readonly number[],
  value: number,
  goal: Result["goal"],
): Result => ({
  bench: "push",
  what: names.what,
  yardstick: { name: names.yardstick, value: names.value, unit: "tps" },
  subject: { value, unit: "s" },
  measured: { value, unit: "s" },
  goal,
  spread: [Math.min(...all), Math.max(...all)],
  rounds: defaultRounds,
  isVoid: false,
});

/** CPU seconds so far: of the product with its stores, and of the simulated edges beside it. */
const cpuNow = (installation: Installation, fleet: Child) => {
  const { controller, database } = installation.pids();
  return { product: cpuSeconds(controller) + cpuSeconds(database), edges: cpuSeconds(fleet.pid) };
};

/** What each state takes of the processor: on a machine of two cores the simulated edges take most of both. */
const cpuResult = (who: string, edges: number, all: readonly number[]): Result => ({
  bench: "push",
  what: `CPU of ${who} for each confirmed state of that save`,
  yardstick: { name: "edges", value: edges, unit: "" },
  subject: { value: median(all), unit: "ms CPU" },
  measured: { value: median(all), unit: "ms CPU" },
  goal: null,
  spread: [Math.min(...all), Math.max(...all)],
  rounds: defaultRounds,
  isVoid: false,
});

/**
 * @param installation one whose fleet is connected and confirmed
 * @param fleet the process of the simulated edges
 */
export async function push(installation: Installation, fleet: Child): Promise<Result[]> {
  const { sql } = installation;
  const { rows } = await sql.query<{ node_id: string }>("select node_id from static_route");
  const nodes = rows.map(({ node_id }) => Number(node_id));
  const tpcB = await openTpcB(await installation.addDatabase("bench_push"));
  const all: number[][] = [];
  const cpu: { readonly product: number; readonly edges: number }[] = [];
  let rounds: Round[];
  try {
    rounds = await alternate(
      () => tpcB.run(clients, ms),
      async () => {
        const before = cpuNow(installation, fleet);
        const round = await waits(installation, nodes);
        const after = cpuNow(installation, fleet);
        all.push(round);
        cpu.push({
          product: (1_000 * (after.product - before.product)) / nodes.length,
          edges: (1_000 * (after.edges - before.edges)) / nodes.length,
        });
        return nodes.length / Math.max(...round);
      },
    );
  } finally {
    await tpcB.close();
  }
  const one: number[] = [];
  for (let at = 0; at < edits; at++)
    one.push(...(await waits(installation, [nodes[at] as number])));
  const summary = summarise(rounds);
  const late = all.map((round) => percentile(round, 0.95));
  const online = await numberOf(sql, "select count(*) as n from node_status where online");
  const beside = { yardstick: "TPC-B-like, 16 clients", value: summary.yardstick };
  return [
    seconds(
      { what: `commit to confirmed, 1 of ${online} edges, p95 of ${edits}`, ...beside },
      one,
      percentile(one, 0.95),
      { atMost: 5 },
    ),
    seconds(
      {
        what: `commit to confirmed, ${nodes.length} of ${online} edges by one save, p95`,
        ...beside,
      },
      late,
      median(late),
      { atMost: 5 },
    ),
    ratioResult(
      {
        bench: "push",
        what: "confirmed deliveries a second of that save",
        yardstick: beside.yardstick,
        unit: "tps",
      },
      summary,
      defaultRounds,
      { atLeast: 0.15 },
    ),
    cpuResult(
      "controller and stores",
      nodes.length,
      cpu.map(({ product }) => product),
    ),
    cpuResult(
      "the simulated edges",
      nodes.length,
      cpu.map(({ edges }) => edges),
    ),
  ];
}
