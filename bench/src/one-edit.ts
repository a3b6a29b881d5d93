/**
 * What one edit costs in one space of many nodes, to the end of its compiles: CPU time of controller, PostgreSQL and
 * metrics store together, states, and the bytes of them. The whole edit counts: the cost of a state says nothing
 * of an edit that makes a thousand.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isCompiled, numberOf, until } from "./fleet.ts";
import { type Installation, startInstallation } from "./installation.ts";
import { cpuSeconds } from "./process-usage.ts";
import type { Result } from "./report.ts";
import { median } from "./rounds.ts";
import { clearAlarms, firstEnterprise, seedNodes, seedReports, seedSpaces } from "./seed.ts";
import { sentBytes } from "./sent-bytes.ts";

/** Each edit is made so often; the value is the median. */
const rounds = 3;

interface Target {
  readonly cpe: number;
  readonly pop: number;
}

interface Edit {
  readonly what: string;
  /** The node that the statement and its change row are about. */
  readonly of: keyof Target;
  /** With the node's id as $1 and the round, from 1 on, as $2. */
  readonly statement: string;
}

const edits: readonly Edit[] = [
  {
    what: "metric of a route that is not announced",
    of: "cpe",
    statement: "update static_route set metric = 100 + $2::int where node_id = $1",
  },
  {
    what: "LAN section added to a CPE",
    of: "cpe",
    statement: `insert into lan_section (enterprise_id, node_id, interface_name, network)
      values (${firstEnterprise}, $1, 'lan' || 1 + $2::int, '172.24.' || $2::int || '.1/24')`,
  },
  {
    what: "tunnel key of a CPE changed",
    of: "cpe",
    statement: `update node_status set tunnel_key = 'edit' || lpad($2::int::text, 39, '0') || '='
      where node_id = $1`,
  },
  {
    what: "POP renamed",
    of: "pop",
    statement: "update node set name = 'pop-' || $2::int where id = $1",
  },
  {
    what: "mobile account added",
    of: "pop",
    statement: `insert into mobile_account (enterprise_id, login_name, alias, terminal_type, pop_id,
        public_key, address)
      values (${firstEnterprise}, 'bench-' || $2::int, 'bench', 1, $1,
        'account' || lpad($2::int::text, 36, '0') || '=', ('192.168.0.' || 10 + $2::int)::inet)`,
  },
  {
    what: "blacklist entry of a CPE edited",
    of: "cpe",
    statement: `update blacklist b set value = '203.0.113.' || 10 + $2::int
      from blacklist_node n where n.owner_id = b.id and n.node_id = $1`,
  },
];

/** One space of a POP and CPEs, so many nodes in all, compiled; with what the edits edit. */
async function startSpace(nodes: number): Promise<{ installation: Installation; target: Target }> {
  const installation = await startInstallation();
  const { sql } = installation;
  const network = { spaces: 1, cpesOfSpace: nodes - 1 };
  try {
    await seedNodes(sql, network);
    await seedReports(sql);
    const pop = await numberOf(sql, "select min(id) as n from node where kind = 'pop'");
    const cpe = await numberOf(sql, "select min(id) as n from node where kind = 'cpe'");
    await sql.query(
      `with entry as (
         insert into blacklist (enterprise_id, type, value, enabled)
         values (${firstEnterprise}, 'ip', '203.0.113.1', true) returning id)
       insert into blacklist_node (owner_id, enterprise_id, node_enterprise_id, node_id)
       select id, ${firstEnterprise}, ${firstEnterprise}, $1 from entry`,
      [cpe],
    );
    await seedSpaces(sql, network);
    await sql.query(
      `insert into client_service (enterprise_id, enabled, space_id, pop_id, pool, port, routes, terminal_types)
       select ${firstEnterprise}, true, id, $1, '192.168.0.0/24', 50000, '{}', '{}' from net_space`,
      [pop],
    );
    await sql.query("notify weft_change");
    await until(() => isCompiled(sql), "the network compiled", 1_200_000);
    await clearAlarms(sql);
    await sql.query("vacuum analyze");
    // What the compile left to do in the background is not the edits'.
    await sleep(2_000);
    return { installation, target: { cpe, pop } };
  } catch (error) {
    await installation.close();
    throw error;
  }
}

/** Controller with its metrics store, and PostgreSQL with all its sessions. */
const cpuOf = ({ pids }: Installation): number =>
  cpuSeconds(pids().controller) + cpuSeconds(pids().database);

/** What one edit came to. */
interface Cost {
  readonly cpuMs: number;
  readonly states: number;
  /** New sections, states and revisions of lists, as PostgreSQL stores them. */
  readonly stored: number;
  /** Heads and revisions, and what a device is given that runs the state before: sections and deltas, as JSON. */
  readonly sent: number;
}

async function costOf(
  installation: Installation,
  node: number,
  { statement }: Edit,
  round: number,
): Promise<Cost> {
  const { sql } = installation;
  const { rows: clock } = await sql.query<{ at: string }>("select clock_timestamp()::text as at");
  const from = cpuOf(installation);
  await sql.query(
    `with edited as (${statement})
     insert into change (enterprise_id, node_ids, cause, created_by)
     values (${firstEnterprise}, array[$1::bigint], 'bench', ${firstEnterprise})`,
    statement.includes("$2") ? [node, round] : [node],
  );
  await sql.query("notify weft_change");
  await until(() => isCompiled(sql), "the edit compiled", 1_200_000);
  const cpuMs = (cpuOf(installation) - from) * 1_000;
  const since = clock[0]?.at ?? "";
  const { rows } = await sql.query<Record<"states" | "stored", string>>(
    `with made as (
       select m.node_id, m.sections, coalesce(p.sections, '{}') as before from node_state m
       left join node_state p on p.node_id = m.node_id and p.epoch = m.epoch and p.serial = m.serial - 1
       where m.created_at >= $1::timestamptz
     ), named as (
       select distinct m.node_id, one.key as name, one.value as hash, m.before ->> one.key as base
       from made m cross join lateral jsonb_each_text(m.sections) one
       where not exists (select from jsonb_each_text(m.before) known where known.value = one.value)
     ), revised as (
       select r.*, (select p.hash from space_revision p
         where p.space_id = r.space_id and p.revision < r.revision order by p.revision desc limit 1) as base
       from space_revision r where r.created_at >= $1::timestamptz
     ), own as (
       select c.content from named n join state_section c on c.node_id = n.node_id and c.hash = n.hash
     ), list as (
       select s.space_id, s.hash, n.base, s.content from (
         select distinct name, hash, base from named
         union select 'space.' || space_id, hash, base from revised) n
       join space_section s on n.name = 'space.' || s.space_id and s.hash = n.hash
     ), part as (
       -- Parts that the list of the state before does not name.
       select s.space_id, s.hash, s.content from list l
       cross join lateral jsonb_array_elements_text(l.content::jsonb -> 'parts') named_part (hash)
       join space_section s on s.space_id = l.space_id and s.hash = named_part.hash
       where not exists (
         select from space_section b where b.space_id = l.space_id and b.hash = l.base
           and b.content::jsonb -> 'parts' ? s.hash)
     ), once as (
       select distinct on (space_id, hash) content
       from (select space_id, hash, content from list union all select * from part) shared
     )
     select (select count(*) from made) as states,
       (select coalesce(sum(pg_column_size(sections)), 0) from made)
         + (select coalesce(sum(pg_column_size(r)), 0) from revised r)
         + (select coalesce(sum(pg_column_size(content)), 0) from own)
         + (select coalesce(sum(pg_column_size(content)), 0) from once) as stored`,
    [since],
  );
  const [found] = rows;
  return {
    cpuMs,
    states: Number(found?.states),
    stored: Number(found?.stored),
    sent: await sentBytes(sql, since),
  };
}

const values: readonly (readonly [keyof Cost, what: string, unit: string, scale: number])[] = [
  ["cpuMs", "CPU of all processes", "ms CPU", 1],
  ["states", "states", "", 1],
  ["stored", "bytes stored", "kB", 1_000],
  ["sent", "bytes sent", "kB", 1_000],
];

/** @param sizes nodes of the space, of one installation each */
export async function* oneEdit(sizes: readonly number[]): AsyncIterable<Result> {
  for (const nodes of sizes) {
    const { installation, target } = await startSpace(nodes);
    try {
      for (const edit of edits) {
        const all: Cost[] = [];
        for (let round = 1; round <= rounds; round += 1) {
          all.push(await costOf(installation, target[edit.of], edit, round));
        }
        for (const [key, what, unit, scale] of values) {
          const each = all.map((cost) => cost[key] / scale);
          const value = median(each);
          yield {
            bench: "edit",
            what: `${edit.what}, one space of ${nodes.toLocaleString("en")} nodes: ${what}`,
            yardstick: { name: "nodes", value: nodes, unit: "" },
            subject: { value, unit },
            measured: { value, unit },
            goal: null,
            spread: [Math.min(...each), Math.max(...each)],
            rounds,
            isVoid: false,
          };
        }
      }
    } finally {
      await installation.close();
    }
  }
}
