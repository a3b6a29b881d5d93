/** What becomes of a site's rules that are no family of policy objects. */
import type { PolicySummary } from "@weft/contract/domains/policies/policy-finding.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { isConfirmed, summarize } from "./summarize.ts";

/** ACL rules or DHCP reservations; of a row that the caller does not see there is no node. */
export const summarizeOnNode = (
  ctx: Context,
  { name, table }: { readonly name: string; readonly table: "acl_rule" | "dhcp_reservation" },
  ids: readonly number[],
): Promise<PolicySummary[]> =>
  summarize(
    ctx,
    name,
    "node",
    ids,
    sql`
      select r.id as object_id, n.id as node_id, null::integer as version,
        ${isConfirmed} as is_confirmed
      from ${sql.table(table)} r join node n on n.id = r.node_id
      where r.id = any(${[...ids]}::bigint[]) and ${inCallerScope(ctx, "n.enterprise_id")}`,
  );

/**
 * Entries of the blacklist. One of an agent may be about CPEs of its customers; one without a choice
 * is about all CPEs of its enterprise. Whether a CPE confirmed is looked up once, not for each entry.
 */
export const summarizeBlacklist = (
  ctx: Context,
  ids: readonly number[],
): Promise<PolicySummary[]> =>
  summarize(
    ctx,
    "blacklist",
    "enterprise",
    ids,
    sql`
      with target as (
        select t.node_id, array_agg(t.entry_id) as entries
        from blacklist_target t join blacklist b on b.id = t.entry_id
        where t.entry_id = any(${[...ids]}::bigint[])
          and ${inCallerScope(ctx, "b.enterprise_id", "b.created_by")}
        group by t.node_id
      ), cpe as materialized (
        select n.id, t.entries, ${isConfirmed} as is_confirmed
        from target t join node n on n.id = t.node_id
        where ${inCallerScope(ctx, "n.enterprise_id")}
      )
      select e.id as object_id, c.id as node_id, null::integer as version, c.is_confirmed
      from cpe c cross join unnest(c.entries) as e (id)`,
  );

/** Closed user groups, on the CPEs in them that the caller sees. */
export const summarizeGroups = (ctx: Context, ids: readonly number[]): Promise<PolicySummary[]> =>
  summarize(
    ctx,
    "cug",
    "enterprise",
    ids,
    sql`
      select g.id as object_id, n.id as node_id, null::integer as version,
        ${isConfirmed} as is_confirmed
      from cug g join cug_node x on x.owner_id = g.id join node n on n.id = x.node_id
      where g.id = any(${[...ids]}::bigint[])
        and ${inCallerScope(ctx, "g.enterprise_id", "g.created_by")}
        and ${inCallerScope(ctx, "n.enterprise_id")}`,
  );

/** Circuits, on those of their two ends that the caller sees. */
export const summarizeCircuits = (ctx: Context, ids: readonly number[]): Promise<PolicySummary[]> =>
  summarize(
    ctx,
    "xwanCircuit",
    "enterprise",
    ids,
    sql`
      select c.id as object_id, n.id as node_id, null::integer as version,
        ${isConfirmed} as is_confirmed
      from circuit c join node n on n.id in (c.source_id, c.target_id)
      where c.id = any(${[...ids]}::bigint[])
        and ${inCallerScope(ctx, "c.enterprise_id", "c.created_by")}
        and ${inCallerScope(ctx, "n.enterprise_id")}`,
  );
