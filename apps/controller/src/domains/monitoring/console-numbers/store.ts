import type { consoleNumbers } from "@weft/contract/domains/monitoring/console-numbers.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { isUp } from "#domains/devices/public.ts";
import type { Context } from "#kernel/api.ts";
import { inCallerScope } from "#kernel/scope.ts";

/** Counts of everything in the caller's scope, in one statement. POPs include shared ones. */
export async function countAll(ctx: Context): Promise<OutputOf<typeof consoleNumbers>> {
  const isInScope = inCallerScope(ctx, "enterprise_id", "created_by");
  const inside = inCallerScope(ctx, "enterprise_id");
  const { rows } = await sql<OutputOf<typeof consoleNumbers>>`
    select
      (select count(*) from enterprise where ${inCallerScope(ctx, "id")}) as enterprise,
      nodes.cpe, nodes."cpeOnline", pops.pop, pops."popOnline",
      (select count(*) from net_space where ${isInScope}) as "netSpace",
      links.link, links."linkUp",
      (select count(*) from node_identity where state = 'pending' and ${inside})
        as "enrolmentPending",
      (select count(*) from node_identity i join node n on n.id = i.node_id
        where i.state = 'pending' and n.kind = 'pop' and ${inCallerScope(ctx, "i.enterprise_id")})
        as "enrolmentPendingPop"
    from
      (select count(*) as cpe, count(*) filter (where s.online) as "cpeOnline"
       from node n left join node_status s on s.node_id = n.id
       where n.kind = 'cpe' and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}) nodes,
      (select count(*) as pop, count(*) filter (where s.online) as "popOnline"
       from node n left join node_status s on s.node_id = n.id where n.kind = 'pop') pops,
      (select count(*) as link, count(*) filter (where ${isUp("s")}) as "linkUp"
       from link l left join link_status s on s.link_id = l.id
       where ${inCallerScope(ctx, "l.enterprise_id")}) links`.execute(ctx.db);
  const [numbers] = rows;
  if (!numbers) throw new Error("a select of counts gave no row");
  return numbers;
}
