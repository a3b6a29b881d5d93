/** What becomes of a site's rules that are no family of policy objects. */
import type { PolicySummary } from "@weft/contract/domains/policies/policy-finding.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { isConfirmed, summarize } from "./summarize.ts";

/** ACL rules; of one that the caller does not see there is no node. */
export const summarizeAcl = (ctx: Context, ids: readonly number[]): Promise<PolicySummary[]> =>
  summarize(
    ctx,
    "xaclrules",
    "node",
    ids,
    sql`
      select a.id as object_id, n.id as node_id, null::integer as version,
        ${isConfirmed} as is_confirmed
      from acl_rule a join node n on n.id = a.node_id
      where a.id = any(${[...ids]}::bigint[]) and ${inCallerScope(ctx, "n.enterprise_id")}`,
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
      with entry as materialized (
        select b.id, b.enterprise_id, array(select x.node_id from blacklist_node x
          where x.owner_id = b.id) as members
        from blacklist b
        where b.id = any(${[...ids]}::bigint[])
          and ${inCallerScope(ctx, "b.enterprise_id", "b.created_by")}
      ), cpe as materialized (
        select n.id, n.enterprise_id, ${isConfirmed} as is_confirmed from node n
        where n.kind = 'cpe' and ${inCallerScope(ctx, "n.enterprise_id")}
          and (n.id in (select unnest(e.members) from entry e)
            or n.enterprise_id in (select e.enterprise_id from entry e where e.members = '{}'))
      )
      select e.id as object_id, c.id as node_id, null::integer as version, c.is_confirmed
      from entry e join cpe c on c.id = any(e.members)
        or (e.members = '{}' and c.enterprise_id = e.enterprise_id)`,
  );
