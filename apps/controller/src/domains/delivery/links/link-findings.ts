/** Keeps which members of a space lack links, and why. */
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { LinkChanges } from "./adjacencies.ts";

type Trx = Transaction<Database>;

interface LinkFinding {
  readonly node: number;
  readonly reason: string;
  /** The first of those that it should be linked with, or itself: what the finding is about. */
  readonly object: number;
  readonly full: number | null;
  readonly count: number;
  /** Name of the POP strategy that decides. */
  readonly strategy: string | null;
}

/** One finding for each reason that a node lacks links for, however many. Pure. */
function linkFindings({ unplaced, unlinked }: Pick<LinkChanges, "unplaced" | "unlinked">) {
  const found = new Map<string, LinkFinding>();
  for (const { ends, reason, full } of unplaced) {
    for (const [node, object] of [ends, ends.toReversed()] as [number, number][]) {
      const key = `${node} ${reason} ${full}`;
      const known = found.get(key) ?? {
        node,
        reason,
        object,
        full,
        count: 0,
        strategy: null,
      };
      found.set(key, { ...known, count: known.count + 1 });
    }
  }
  const alone = unlinked.map(({ node, reason, pop = node, strategy = null }) => ({
    node,
    reason,
    object: pop,
    full: null,
    count: 0,
    strategy,
  }));
  return [...found.values(), ...alone];
}

/** Replaces the findings of the space about links, in the caller's transaction. */
export async function noteLinkFindings(
  trx: Trx,
  spaceId: number,
  changes: Pick<LinkChanges, "unplaced" | "unlinked">,
): Promise<void> {
  await trx
    .deleteFrom("node_finding")
    .where("space_id", "=", spaceId)
    .where("source", "=", "links")
    .execute();
  const found = linkFindings(changes);
  if (found.length === 0) return;
  const of = <Key extends keyof LinkFinding>(key: Key) =>
    found.map((linkFinding) => linkFinding[key]);
  await sql`
    insert into node_finding (node_id, enterprise_id, space_id, source, kind, object, reason, params)
    select f.node_id, n.enterprise_id, ${spaceId}, 'links', 'link',
      left(weft.name_for(n.enterprise_id, f.object), 64), f.reason,
      jsonb_strip_nulls(jsonb_build_object('count', nullif(f.count, 0)::text,
        'full', weft.name_for(n.enterprise_id, f.full_id), 'strategy', f.strategy))
    from unnest(${of("node")}::bigint[], ${of("object")}::bigint[], ${of("reason")}::text[],
      ${of("full")}::bigint[], ${of("count")}::int[], ${of("strategy")}::text[])
      as f (node_id, object, reason, full_id, count, strategy)
    join weft.nodes_of(${of("node")}::bigint[]) n on n.node_id = f.node_id
    on conflict (node_id, space_id, kind, object, reason) do nothing`.execute(trx);
}
