import {
  type BeginningStep,
  type beginning,
  beginningSteps,
} from "@weft/contract/domains/monitoring/beginning.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

type Beginning = OutputOf<typeof beginning>;
interface Found extends Readonly<Record<BeginningStep, boolean>> {
  readonly waiting: number;
  readonly popNode: Beginning["pop"];
  readonly siteNode: Beginning["site"];
}

/** What of the way to a first living site happened in the caller's scope; POPs include shared ones. */
export async function readBeginning(ctx: Context): Promise<Beginning> {
  const { rows } = await sql<Found>`
    with nodes as (
      select n.id, n.kind, n.name, coalesce(s.online, false) as online,
        exists (select from line l where l.node_id = n.id)
          and exists (select from lan_section a where a.node_id = n.id) as networked,
        exists (select from space_member m join space_member p on p.space_id = m.space_id
          where m.node_id = n.id and p.kind = 'pop') as joined,
        n.kind = 'cpe' and exists (
          select from link l join transition t on t.link_id = l.id
          where n.id in (l.a_node_id, l.b_node_id) and t.kind = 'link' and t.up) as passed
      from node n left join node_status s on s.node_id = n.id
      where n.kind = 'pop' or ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}),
    furthest as (
      select distinct on (kind) kind, jsonb_build_object('id', id, 'name', name) as node
      from nodes order by kind, passed desc, online desc, joined desc, networked desc, id)
    select
      exists (select from nodes where kind = 'pop') as pop,
      exists (select from nodes where kind = 'pop' and online) as "popOnline",
      exists (select from enterprise e where ${inCallerScope(ctx, "e.id")}
        and e.id <> ${ctx.caller.enterpriseId}) as enterprise,
      exists (select from nodes where kind = 'cpe') as site,
      exists (select from nodes where kind = 'cpe' and networked) as "siteNetwork",
      exists (select from nodes where kind = 'cpe' and online) as "siteOnline",
      exists (select from nodes where kind = 'cpe' and joined) as space,
      exists (select from nodes where passed) as packet,
      (select count(*) from node_identity i join nodes on nodes.id = i.node_id
        where i.state = 'pending') as waiting,
      (select node from furthest where kind = 'pop') as "popNode",
      (select node from furthest where kind = 'cpe') as "siteNode"`.execute(ctx.db);
  const [found] = rows;
  if (!found) throw new Error("a select of facts gave no row");
  return {
    done: beginningSteps.filter((step) => found[step]),
    waiting: found.waiting,
    pop: found.popNode,
    site: found.siteNode,
  };
}
