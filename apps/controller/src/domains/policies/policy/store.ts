import { activeTimes, nextSwitch } from "@weft/contract/device/v1/active-times.ts";
import { defaultParams } from "@weft/contract/domains/enterprises/param-config.ts";
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import type { PolicyFamily, ScopedPolicy } from "@weft/contract/kernel/policy-family.ts";
import type { AnyResource, DraftOf } from "@weft/contract/kernel/resource.ts";
import { type RawBuilder, sql } from "kysely";
import { cpes, pops } from "#domains/devices/public.ts";
import type { PolicyTableName } from "#domains/policies/schema.ts";
import type { Context } from "#kernel/api.ts";
import type { Constraints } from "#kernel/database-errors.ts";
import { reference } from "#kernel/reference.ts";
import type { Store } from "#kernel/resource-store.ts";
import { type OwnerField, ownerIn } from "#kernel/row-owner.ts";
import { tableStore } from "#kernel/table-store.ts";
import type { Vault } from "#kernel/vault.ts";
import { columnOf, tableOf } from "./columns.ts";
import { type SecretOwner, secretOf } from "./secrets.ts";

type Loose = Record<string, unknown>;

export const owners: Readonly<
  Record<ScopedPolicy["scope"], readonly OwnerField<"template_id" | "node_id">[]>
> = {
  template: [{ field: "templateId", column: "template_id", of: reference("router_template") }],
  manage: [
    { field: "cpeId", column: "node_id", of: cpes },
    { field: "popId", column: "node_id", of: pops },
  ],
};

/** What the keys of all families' tables mean to a write of this one. */
function constraintsOf({ name, spec }: PolicyFamily): Constraints {
  const table = tableOf(name);
  const references = Object.keys(spec.references ?? {}).map((field) => [
    `${table}_${columnOf(field)}`,
    { field },
  ]);
  const others = policyFamilies.flatMap((other) =>
    Object.keys(other.spec.references ?? {}).map((field) => [
      `${tableOf(other.name)}_${columnOf(field)}`,
      { by: other.spec.title },
    ]),
  );
  return Object.fromEntries([
    ...others,
    ...references,
    [`${table}_once`, { field: spec.label }],
    // Of lines: each position once.
    [`${table}_position`, { field: "accessposition" }],
    // Each tag of a port once.
    [`${table}_vlan`, { field: "vlan" }],
  ]);
}

/** Facts of rows that other tables hold. */
interface Facts {
  readonly reads?: Readonly<Record<string, RawBuilder<unknown>>>;
  readonly complete: (ctx: Context, rows: readonly { id: number }[]) => Promise<Loose[]>;
}

/** How many entries each group has. */
const countOf = (
  groups: PolicyTableName,
  entries: PolicyTableName,
  field: string,
  fact: string,
): Facts => ({
  reads: {
    [fact]: sql`(select count(*)::int from ${sql.table(entries)}
      where ${sql.ref(`${entries}.${columnOf(field)}`)} = ${sql.ref(`${groups}.id`)})`,
  },
  complete: async (_ctx, rows) => rows.map((row) => ({ [fact]: (row as Loose)[fact] })),
});

/** The same, and how many members a group has of its enterprise while it has no entries. */
function countOfEnterprise(
  groups: PolicyTableName,
  entries: PolicyTableName,
  field: string,
): Facts {
  const { reads } = countOf(groups, entries, field, "members");
  const [name, node, template] = ["name", "node_id", "template_id"].map((column) =>
    sql.ref(`${groups}.${column}`),
  );
  return {
    reads: {
      ...reads,
      enterpriseMembers: sql`weft.enterprise_group_size(${groups}, ${name}, ${node}, ${template})`,
    },
    complete: async (_ctx, rows) =>
      (rows as readonly Loose[]).map(({ members, enterpriseMembers }) => ({
        members,
        enterpriseMembers,
      })),
  };
}

interface TimeRow {
  readonly id: number;
  readonly weekdays: readonly number[];
  readonly start_time: string;
  readonly end_time: string;
}

/** Whose clock each time group follows, whether it is active, and when that changes. */
async function switchesOf(ctx: Context, rows: readonly { id: number }[]): Promise<Loose[]> {
  const ids = rows.map(({ id }) => id);
  const { rows: groups } = await sql<{ id: number; zone: string | null; at: Date }>`
    select g.id, coalesce(n.time_zone, p.timezone) as zone, now() as at from router_time_node g
    join node n on n.id = g.node_id
    left join enterprise_param p on p.enterprise_id = n.enterprise_id
    where g.id = any(${ids}::bigint[])`.execute(ctx.db);
  const clocks = new Map(groups.map((clock) => [clock.id, clock]));
  return (rows as unknown as readonly TimeRow[]).map((row) => {
    const clock = clocks.get(row.id);
    if (!clock) return { timezone: null, activeNow: null, nextSwitch: null };
    const timezone = clock.zone ?? defaultParams.timezone;
    const group = {
      id: row.id,
      weekdays: [...row.weekdays],
      start: row.start_time,
      end: row.end_time,
    };
    const now = clock.at.getTime();
    const next = nextSwitch(group, now, timezone);
    const activeNow = activeTimes([group], now, timezone).length > 0;
    return { timezone, activeNow, nextSwitch: next === null ? null : new Date(next) };
  });
}

const factsOf: Readonly<Record<string, Facts>> = {
  routerTimenode: { complete: switchesOf },
  routerIpgroup: countOfEnterprise("router_ip_group", "router_ip_entry", "ipgroupId"),
  routerDnsgroup: countOf("router_dns_group", "router_domain", "dnsgroupId", "members"),
  routerUrlgroup: countOfEnterprise("router_url_group", "router_url", "urlgroupId"),
  routerInterface: countOf("router_interface", "router_interface_line", "interfaceId", "lines"),
};

/** The fact of a secret field that shows whether it is set. */
const isSet = (field: string): string => `has${field.charAt(0).toUpperCase()}${field.slice(1)}`;

/** Columns of fields and facts, and the owner's, so that the audit trail knows whose row it was. */
const columnsOf = ({ spec }: PolicyFamily): Record<string, string> => ({
  ...Object.fromEntries(Object.keys(spec.fields.shape).map((field) => [field, columnOf(field)])),
  ...("netcard" in spec.facts.shape && { netcard: "netcard" }),
  ...Object.fromEntries((spec.secret ?? []).map((field) => [isSet(field), columnOf(isSet(field))])),
  id: "id",
  createTime: "created_at",
  templateId: "template_id",
  nodeId: "node_id",
});

/**
 * The store of one scope of a family: the plain one, with rules kept in order, and secrets sealed and
 * kept by an edit that leaves them empty.
 */
export function policyStore(
  family: PolicyFamily,
  { resource, scope }: ScopedPolicy,
  vault: Vault,
): Store<AnyResource> {
  const { spec } = family;
  const table = tableOf(family.name);
  const facts = factsOf[family.name];
  const filters = Object.fromEntries(
    [...(spec.filters ?? []), ...("kind" in spec.fields.shape ? ["kind"] : [])].map((field) => [
      field,
      "equal" as const,
    ]),
  );
  const plain = tableStore<AnyResource, PolicyTableName>(resource, {
    table,
    columns: columnsOf(family) as never,
    owner: { oneOf: owners[scope] },
    touches: ({ node_id }) => (typeof node_id === "number" ? { nodeIds: [node_id] } : {}),
    filters: { ...filters, [spec.label]: "contains" },
    constraints: constraintsOf(family),
    comboField: spec.label,
    ...(facts && (facts as object)),
  });
  const stored = (draft: Loose, id: number | null): DraftOf<AnyResource> => ({
    ...draft,
    ...(spec.isOrdered && { sort: placeOf(table, scope, draft, id) }),
    ...sealedSecrets(vault, family, ownerOf(scope, draft), draft, id),
  });
  return {
    ...plain,
    add: (ctx, draft) => plain.add(ctx, stored(draft as Loose, null)),
    edit: (ctx, id, draft) => plain.edit(ctx, id, stored(draft as Loose, id)),
  };
}

/** A rule without a place goes behind the others; one that has a place keeps it. */
function placeOf(table: string, scope: ScopedPolicy["scope"], draft: Loose, id: number | null) {
  if (draft.sort) return draft.sort;
  if (id !== null) return sql.ref("sort");
  const named = owners[scope].find(({ field }) => draft[field] != null);
  const column = sql.ref(named?.column ?? "node_id");
  return sql`(select least(coalesce(max(sort), 0) + 1, 9999) from ${sql.table(table)}
    where ${column} = ${draft[named?.field ?? ""]})`;
}

/** Secrets as they are stored; one that is left empty by an edit stays what it is. */
function sealedSecrets(
  vault: Vault,
  { name, spec }: PolicyFamily,
  owner: SecretOwner,
  draft: Loose,
  id: number | null,
): Loose {
  const table = tableOf(name);
  const entries = (spec.secret ?? []).map((field) => {
    const column = columnOf(field);
    if (draft[field] === "" && id !== null) return [field, sql.ref(column)];
    return [field, secretOf(vault, table, column, owner).seal(String(draft[field]))];
  });
  return Object.fromEntries(entries);
}

function ownerOf(scope: ScopedPolicy["scope"], draft: Loose): SecretOwner {
  const { column, id } = ownerIn(owners[scope], draft);
  return { template_id: null, node_id: null, [column]: id };
}
