/**
 * What still uses rows, out of the foreign keys that forbid their removal: a table that comes later is among them
 * without a line here. Row-level security decides which users a caller sees.
 */
import { allResources, type ResourceName } from "@weft/contract/all-endpoints.ts";
import { maxUses, type Use, type usesFindAll } from "@weft/contract/domains/access/uses.ts";
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { Message } from "@weft/contract/kernel/message.ts";
import { ownApplicationId } from "@weft/contract/rules/applications.ts";
import { sql } from "kysely";
import { columnOf, tableOf } from "#domains/policies/policy/public.ts";
import type { Context } from "#kernel/api.ts";

/** Tables of resources, beside those of policy objects. */
const tables: Readonly<Partial<Record<ResourceName, string>>> = {
  alarmStrategy: "alarm_strategy",
  apiKey: "api_key",
  branch: "branch",
  comAudit: "company_audit",
  cpe: "node",
  enterprise: "enterprise",
  ipgroup: "enterprise_ipgroup",
  messageReceive: "message_receiver",
  netSpace: "net_space",
  pop: "node",
  popStrategy: "pop_strategy",
  role: "role",
  urlgroup: "enterprise_urlgroup",
  user: "sys_user",
  vbrNode: "vbr_node",
  xwanCircuit: "circuit",
};

/**
 * Table -> tables whose rows forbid a removal there; other keys to it do not, because the removal takes those rows along.
 * Policy objects forbid it wherever they name one another.
 */
const users: Readonly<Record<string, readonly string[]>> = {
  enterprise: [
    "enterprise",
    "node",
    "net_space",
    "circuit",
    "sys_user",
    "role",
    "api_key",
    "pop_strategy",
    "branch",
    "company_audit",
    "enterprise_ipgroup",
    "enterprise_urlgroup",
    "posting",
    "login_record",
  ],
  message_receiver: ["alarm_strategy_receiver"],
  node: ["space_member", "circuit", "vbr_node"],
  pop_strategy: ["enterprise_strategy"],
  role: ["user_role", "api_key"],
};

interface Kind {
  readonly resource: string;
  readonly title: Message;
  /** Column with the name; null: `nameColumns` decides. */
  readonly label: string | null;
}

/** Table -> what its rows are. CPEs and POPs share one. */
const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...Object.entries(tables).map(([resource, table]): [string, Kind] => [
    table,
    { resource, title: allResources[resource as ResourceName].title as Message, label: null },
  ]),
  ...policyFamilies.map(({ name, spec }): [string, Kind] => [
    tableOf(name),
    { resource: name, title: spec.title, label: columnOf(spec.label) },
  ]),
  ["node", { resource: "cpe", title: ["CPE 或 POP", "CPE or POP"], label: "name" }],
  ["posting", { resource: "", title: ["交易记录", "Transaction record"], label: null }],
  ["login_record", { resource: "", title: ["登录记录", "Login record"], label: null }],
]);
/** Entries that go with their group: no use of it (policies/policy/uses.ts). */
const entries = new Set(
  ["routerIpgroupdefine", "routerDomains", "routerUrl", "routerRuleCustom"].map(tableOf),
);
const nameColumns = ["name", "template_name", "login_name", "alias"];

/** The table of a resource by its name; null: nothing names its rows. */
function tableOfResource(name: string): string | null {
  const family = policyFamilies.find(
    (policyFamily) => policyFamily.name === name.replace(/\.manage$/, ""),
  );
  return family ? tableOf(family.name) : (tables[name as ResourceName] ?? null);
}

interface Key {
  readonly table: string;
  /** The column that has the id. */
  readonly column: string;
  readonly target: string;
  /** False: the row goes with its target. */
  readonly forbids: boolean;
  /** Columns of the table that a use is shown by. */
  readonly columns: readonly string[];
}

/** Foreign keys of the database by the id that they name. */
async function readKeys(ctx: Context): Promise<readonly Key[]> {
  const shown = [...nameColumns, "node_id", "template_id"];
  const { rows } = await sql<Key>`
    select own.relname as "table", a.attname as "column", target.relname as target,
      c.confdeltype in ('a', 'r') as forbids,
      array(select n.attname::text from pg_attribute n where n.attrelid = c.conrelid
        and n.attnum > 0 and not n.attisdropped and n.attname = any(${shown}::text[])) as columns
    from pg_constraint c
    join pg_class own on own.oid = c.conrelid
    join pg_class target on target.oid = c.confrelid
    cross join lateral unnest(c.conkey, c.confkey) as k(own_column, target_column)
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.own_column
    join pg_attribute f on f.attrelid = c.confrelid and f.attnum = k.target_column
    where c.contype = 'f' and own.relnamespace = 'weft'::regnamespace and f.attname = 'id'
    order by own.relname, a.attname`.execute(ctx.db);
  return rows;
}

/** Where the rows that a key names are shown: its own table, or the one that rows without a name go with. */
interface Place {
  readonly kind: Kind;
  readonly key: Key;
  /** Key to the table with the names; null: the table has them itself. */
  readonly through: Key | null;
}

function placesOf(keys: readonly Key[], table: string): Place[] {
  const forbidding = users[table];
  return keys
    .filter((key) => key.target === table && key.forbids && !entries.has(key.table as never))
    .filter((key) => forbidding === undefined || forbidding.includes(key.table))
    .flatMap((key): Place[] => {
      const ownKind = kinds.get(key.table);
      if (ownKind) return [{ kind: ownKind, key, through: null }];
      const through = keys.find(
        (other) => other.table === key.table && !other.forbids && kinds.has(other.target),
      );
      const kind = through && kinds.get(through.target);
      return kind ? [{ kind, key, through }] : [];
    });
}

async function usesAt(ctx: Context, place: Place, ids: readonly number[], keys: readonly Key[]) {
  const { kind, key, through } = place;
  const table = through?.target ?? key.table;
  const columns = keys.find((key) => key.table === table)?.columns ?? [];
  const label = kind.label ?? nameColumns.find((name) => columns.includes(name)) ?? null;
  const has = (name: string) => (columns.includes(name) ? sql.ref(`r.${name}`) : sql`null::bigint`);
  const named = label === null ? sql`''` : sql`${sql.ref(`r.${label}`)}::text`;
  const which = sql`${sql.ref(`u.${key.column}`)} = any(${[...ids]}::bigint[])`;
  const from = through
    ? sql`${sql.table(key.table)} u join ${sql.table(table)} r on r.id = ${sql.ref(`u.${through.column}`)}`
    : sql`${sql.table(table)} r join ${sql.table(table)} u on u.id = r.id`;
  const kindOfNode = table === "node" ? sql`r.kind` : sql`null::text`;
  const { rows } = await sql<{
    id: number;
    name: string;
    node_id: number | null;
    template_id: number | null;
    node_kind: string | null;
    all: number;
  }>`
    select r.id, ${named} as name, ${has("node_id")} as node_id,
      ${has("template_id")} as template_id, ${kindOfNode} as node_kind,
      (count(*) over ())::int as all
    from ${from} where ${which} order by 2, 1 limit ${maxUses}`.execute(ctx.db);
  const uses = rows.map(
    ({ id, name, node_id, template_id, node_kind }): Use => ({
      resource: node_kind ?? kind.resource,
      title: [kind.title[0], kind.title[1]],
      id,
      name,
      nodeId: node_id,
      templateId: template_id,
    }),
  );
  return { uses, count: rows[0]?.all ?? 0 };
}

/** Application groups name protocols inside a list, which no key guards. */
async function groupsWith(ctx: Context, ids: readonly number[]): Promise<Use[]> {
  const { rows } = await sql<{ id: number; name: string; node_id: number; template_id: number }>`
    select id, name, node_id, template_id from router_app_group
    where l7ids && ${ids.map(ownApplicationId)}::bigint[] order by name, id
    limit ${maxUses}`.execute(ctx.db);
  return rows.map(({ id, name, node_id: nodeId, template_id: templateId }) => ({
    resource: "routerAppgroup",
    title: ["应用组", "application group"],
    id,
    name,
    nodeId,
    templateId,
  }));
}

/** All that the caller may see of what forbids the removal of these rows. */
export async function usesOfRows(
  ctx: Context,
  resource: string,
  ids: readonly number[],
): Promise<OutputOf<typeof usesFindAll>> {
  const table = tableOfResource(resource);
  if (table === null) return { count: 0, uses: [] };
  const keys = await readKeys(ctx);
  const uses: Use[] = [];
  let count = 0;
  for (const place of placesOf(keys, table)) {
    const usesHere = await usesAt(ctx, place, ids, keys);
    // A row that names one of these in two fields is one user.
    const known = new Set(uses.map((use) => `${use.resource} ${use.id}`));
    const more = usesHere.uses.filter((use) => !known.has(`${use.resource} ${use.id}`));
    uses.push(...more);
    count += usesHere.count - (usesHere.uses.length - more.length);
  }
  if (/^routerProtocolex(?:\.manage)?$/.test(resource)) {
    const groups = await groupsWith(ctx, ids);
    uses.push(...groups);
    count += groups.length;
  }
  return { count, uses };
}
