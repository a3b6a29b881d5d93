/** What the database knows of the sites of an enterprise, for its health. */
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";
import type { EnterpriseFacts } from "./enterprise-verdict.ts";

/** The enterprise itself, its way in the tree, and the states of all sites at it and below it. */
export interface EnterpriseSites extends EnterpriseFacts {
  readonly groupid: number;
  readonly name: string;
  readonly isAgent: boolean;
  /** The enterprise and all below it. */
  readonly ids: readonly number[];
}

type Row = Omit<EnterpriseSites, "groups" | "endAt"> & {
  readonly endAt: Date | null;
  readonly groups: readonly (Omit<EnterpriseFacts["groups"][number], "since"> & {
    readonly since: string | null;
  })[];
};

/** The enterprise with its sites by state; null: there is none such in the caller's scope. */
export async function readEnterpriseSites(
  ctx: Context,
  groupid: number,
): Promise<EnterpriseSites | null> {
  const { rows } = await sql<Row>`
    with recursive below as (
      select e.id from enterprise e where e.id = ${groupid} and ${inCallerScope(ctx, "e.id")}
      union all select c.id from enterprise c join below b on c.parent_id = b.id
    ), site as (
      select n.id, n.name, n.enterprise_id = ${groupid} as own, h.state, h.since
      from below b join node n on n.enterprise_id = b.id and n.kind = 'cpe'
        and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}
        left join node_health h on h.node_id = n.id
    ), state as (
      select s.state, s.own as "isOwn", count(*)::int as count, min(s.since) as since,
        (array_agg(s.id order by s.since, s.id))[1] as "siteId",
        (array_agg(s.name order by s.since, s.id))[1] as "siteName"
      from site s group by s.state, s.own
    )
    select e.id as groupid, e.name, e.is_agent as "isAgent", e.enabled, e.end_at as "endAt",
      coalesce(e.end_at < now(), false) as "isExpired",
      (select array_agg(id) from below) as ids,
      coalesce((select jsonb_agg(to_jsonb(s)) from state s), '[]'::jsonb) as groups
    from enterprise e where e.id = ${groupid} and ${inCallerScope(ctx, "e.id")}`.execute(ctx.db);
  const [row] = rows;
  if (!row) return null;
  const groups = row.groups.map(({ since, ...group }) => ({
    ...group,
    since: since === null ? null : new Date(since),
  }));
  return { ...row, groups };
}
