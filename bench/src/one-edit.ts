/** What one edit costs in CPU time, controller and PostgreSQL together, at 100 and at 10,000 nodes. */
import { setTimeout as sleep } from "node:timers/promises";
import { isCompiled, numberOf, until } from "./fleet.ts";
import { type Installation, startInstallation } from "./installation.ts";
import { cpuSeconds } from "./process-figures.ts";
import { type Figure, ratioFigure } from "./report.ts";
import { alternate, defaultRounds, summarise } from "./rounds.ts";
import { FIRST, type Network, seedNodes, seedReports, seedSpaces } from "./seed.ts";

/** Edits a round, one after the other, each to the end of its compile. */
const edits = 30;

async function startNetwork(network: Network): Promise<Installation> {
  const installation = await startInstallation();
  try {
    await seedNodes(installation.sql, network);
    await seedReports(installation.sql);
    await seedSpaces(installation.sql, network);
    await until(() => isCompiled(installation.sql), "the network compiled", 1_200_000);
    await installation.sql.query("vacuum analyze");
    // What the compile left to do in the background is not the edits'.
    await sleep(2_000);
    return installation;
  } catch (error) {
    await installation.close();
    throw error;
  }
}

const cpuOf = ({ pids }: Installation): number =>
  cpuSeconds(pids().controller) + cpuSeconds(pids().database);

/** CPU milliseconds of one edit of a CPE's static route. */
async function costOfEdit(installation: Installation): Promise<number> {
  const { sql } = installation;
  const { rows } = await sql.query<{ node_id: string }>(
    "select node_id from static_route order by random() limit $1",
    [edits],
  );
  const before = await numberOf(sql, "select count(*) as n from node_state");
  const from = cpuOf(installation);
  for (const { node_id } of rows) {
    await sql.query(
      `with edited as (update static_route set metric = 1 + metric % 250 where node_id = $1)
       insert into change (enterprise_id, node_ids, cause, created_by)
       values (${FIRST}, array[$1::bigint], 'bench', ${FIRST})`,
      [node_id],
    );
    await sql.query("notify weft_change");
    await until(() => isCompiled(sql), "the edit compiled", 60_000);
  }
  const cost = ((cpuOf(installation) - from) * 1_000) / rows.length;
  const made = (await numberOf(sql, "select count(*) as n from node_state")) - before;
  if (made !== rows.length) throw new Error(`${rows.length} edits made ${made} states`);
  return cost;
}

async function compare(small: Network, large: Network, what: string, goal: Figure["goal"]) {
  const few = await startNetwork(small);
  try {
    const many = await startNetwork(large);
    try {
      const rounds = await alternate(
        () => costOfEdit(few),
        () => costOfEdit(many),
      );
      const names = {
        bench: "edit",
        what,
        yardstick: "the same edit at 100 nodes",
        unit: "ms CPU",
      };
      return ratioFigure(names, summarise(rounds), defaultRounds, goal);
    } finally {
      await many.close();
    }
  } finally {
    await few.close();
  }
}

/** Spaces of a hundred nodes each; and all nodes in one space behind one POP. */
export async function* oneEdit(): AsyncIterable<Figure> {
  const hundred = { spaces: 1, cpesOfSpace: 99 };
  yield await compare(
    hundred,
    { spaces: 100, cpesOfSpace: 99 },
    "one edit of a CPE at 10,000 nodes in spaces of 100",
    { atMost: 1.2 },
  );
  yield await compare(
    hundred,
    { spaces: 1, cpesOfSpace: 9_999 },
    "one edit of a CPE at 10,000 nodes in one space",
    { atMost: 1.2 },
  );
}
