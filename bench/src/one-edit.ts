/** What one edit costs in CPU time, controller and PostgreSQL together, at 100 nodes and at many more. */
import { setTimeout as sleep } from "node:timers/promises";
import { isCompiled, numberOf, until } from "./fleet.ts";
import { type Installation, startInstallation } from "./installation.ts";
import { cpuSeconds } from "./process-usage.ts";
import { type Result, ratioResult } from "./report.ts";
import { alternate, defaultRounds, summarise } from "./rounds.ts";
import { firstEnterprise, type Network, seedNodes, seedReports, seedSpaces } from "./seed.ts";

interface Edit {
  /** Edits of CPEs in a round, one after the other, each to the end of its compile. */
  readonly count: number;
  /** Statement with the node's id as $1. */
  readonly statement: string;
  /** Nodes that get a new state by one edit. */
  states(network: Network): number;
}

/** A static route that is not advertised: a matter of its device alone. */
const ownEdit: Edit = {
  count: 30,
  statement: "update static_route set metric = 1 + metric % 250 where node_id = $1",
  states: () => 1,
};

/** The network of a LAN section: every member of the space routes to it and closes it beneath the overlay. */
const sharedEdit: Edit = {
  count: 2,
  statement: `update lan_section set network = (network::inet +
      case when network::inet << '10.128.0.0/9' then -(1 << 23) else 1 << 23 end)::text
    where node_id = $1`,
  states: ({ cpesOfSpace }) => cpesOfSpace + 1,
};

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

/** CPU milliseconds of each state that edits of CPEs make. */
async function costOfEdits(
  installation: Installation,
  network: Network,
  edit: Edit,
): Promise<number> {
  const { sql } = installation;
  const { rows } = await sql.query<{ node_id: string }>(
    "select node_id from static_route order by random() limit $1",
    [edit.count],
  );
  const before = await numberOf(sql, "select count(*) as n from node_state");
  const from = cpuOf(installation);
  for (const { node_id } of rows) {
    await sql.query(
      `with edited as (${edit.statement})
       insert into change (enterprise_id, node_ids, cause, created_by)
       values (${firstEnterprise}, array[$1::bigint], 'bench', ${firstEnterprise})`,
      [node_id],
    );
    await sql.query("notify weft_change");
    await until(() => isCompiled(sql), "the edit compiled", 300_000);
  }
  const made = (await numberOf(sql, "select count(*) as n from node_state")) - before;
  const expected = edit.count * edit.states(network);
  if (made !== expected) throw new Error(`${edit.count} edits made ${made} of ${expected} states`);
  return ((cpuOf(installation) - from) * 1_000) / made;
}

interface Comparison {
  readonly edit: Edit;
  readonly what: string;
  readonly yardstick: string;
}

/** Compares a network with a space of one POP and 99 CPEs, which is the only one of its installation. */
async function* compare(large: Network, comparisons: readonly Comparison[]): AsyncIterable<Result> {
  const small: Network = { spaces: 1, cpesOfSpace: 99 };
  const few = await startNetwork(small);
  try {
    const many = await startNetwork(large);
    try {
      for (const { edit, what, yardstick } of comparisons) {
        const rounds = await alternate(
          () => costOfEdits(few, small, edit),
          () => costOfEdits(many, large, edit),
        );
        const names = { bench: "edit", what, yardstick, unit: "ms CPU" };
        yield ratioResult(names, summarise(rounds), defaultRounds, { atMost: 1.2 });
      }
    } finally {
      await many.close();
    }
  } finally {
    await few.close();
  }
}

const own = (what: string): Comparison => ({
  edit: ownEdit,
  what: `one edit that only its CPE sees, ${what}`,
  yardstick: "the same edit at 100 nodes",
});
const shared = (what: string): Comparison => ({
  edit: sharedEdit,
  what: `one edit that its whole space sees, for each node of the space, ${what}`,
  yardstick: "the same edit at 100 nodes",
});

/** Spaces of a hundred nodes each; all nodes in one space behind one POP; a space of a thousand. */
export async function* oneEdit(): AsyncIterable<Result> {
  const inHundreds = "10,000 nodes in spaces of 100";
  yield* compare({ spaces: 100, cpesOfSpace: 99 }, [own(inHundreds), shared(inHundreds)]);
  yield* compare({ spaces: 1, cpesOfSpace: 9_999 }, [own("10,000 nodes in one space")]);
  yield* compare({ spaces: 1, cpesOfSpace: 999 }, [shared("1,000 nodes in one space")]);
}
