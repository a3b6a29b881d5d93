/** Reads which links of a space their sites leave, and which of them may go. */
import { sql, type Transaction } from "kysely";
import { locks, tryLock } from "#db/locks.ts";
import { inScope, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { isMeasuredUp } from "#domains/devices/public.ts";
import { type CarriedLink, mayGo } from "./leaving.ts";

type Trx = Transaction<Database>;

/** From the first packet that a link answers until the routes of both ends use it, also on a busy device. */
const steadyAfter = sql`interval '5 seconds'`;

/** Links of the sites that leave a POP, as they are now. */
async function readCarried(trx: Trx, spaceId: number): Promise<CarriedLink[]> {
  const { rows } = await sql<CarriedLink>`
    with concerned as (
      select l.* from link l where l.space_id = ${spaceId} and l.a_node_id in (
        select a_node_id from link where space_id = ${spaceId} and is_leaving)
    ), pending as (
      select n.id from (select a_node_id as id from concerned union select b_node_id from concerned) n
      where exists (select from compile_mark m where m.node_id = n.id)
        or 'confirmed' is distinct from (
          select s.outcome from node_state s where s.node_id = n.id
          order by s.epoch desc, s.serial desc limit 1)
    )
    select l.id, l.a_node_id as site, l.a_slot as slot, l.is_leaving as "isLeaving",
      ${isMeasuredUp("s")} as "isUp",
      ${isMeasuredUp("s")} and s.changed_at <= now() - ${steadyAfter} as "isSteady",
      not exists (select from pending p where p.id in (l.a_node_id, l.b_node_id)) as "isApplied"
    from concerned l left join link_status s on s.link_id = l.id`.execute(trx);
  return rows;
}

/** Ids of links of a space that are leaving and may go now, in a transaction that sees the loop's tables. */
export const readMayGo = async (trx: Trx, spaceId: number): Promise<Set<number>> =>
  mayGo(await readCarried(trx, spaceId));

/**
 * Has the links of spaces settled where one that is leaving may go: what decides about it, metrics of
 * links and confirmations of devices, is no change of an operator's.
 * @returns how many spaces there are.
 */
export function settleLeaving(pools: Pools<Database>): Promise<number> {
  const scope = { kind: "enterprises", ids: [], userId: null, ownOnly: false } as const;
  return inScope(pools.worker, scope, async (trx) => {
    // The reader of changes settles links now; the next turn comes soon.
    if (!(await tryLock(trx, locks.changes))) return 0;
    const { rows } = await sql<{ id: number }>`
      select distinct l.space_id as id from link l
      where l.is_leaving and not exists (
        select from change c where not c.done and l.space_id = any (c.space_ids))`.execute(trx);
    const due: number[] = [];
    for (const { id } of rows) if ((await readMayGo(trx, id)).size > 0) due.push(id);
    if (due.length > 0) await sql`select weft.settle_again(${due}::bigint[])`.execute(trx);
    return due.length;
  });
}
