/** Whether a device still takes the rules that stand for it. */
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";

/**
 * Refuses the call when one of these nodes has more rules by now than a device takes: its ACL and
 * what is blocked at it. Called after the rows were written, in their transaction.
 */
export async function requireAclRoom(ctx: Context, nodeIds: readonly number[]): Promise<void> {
  if (nodeIds.length === 0) return;
  const aclRules = stateLimits.aclRules;
  const { rows } = await sql<{ name: string }>`
    select n.name from weft.acl_load(${[...nodeIds]}::bigint[]) l join node n on n.id = l.node_id
    where l.n > ${aclRules} order by n.id limit 1`.execute(ctx.db);
  const [full] = rows;
  if (!full) return;
  refuse("notAllowedNow", {
    reason: [
      `${full.name}：ACL 规则与黑名单合计最多 ${aclRules} 条，一个 IP 黑名单算 2 条`,
      `${full.name}: ACL rules and blacklist contain at most ${aclRules} rules; a blocked IP counts twice`,
    ],
  });
}
