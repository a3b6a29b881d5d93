import type { CommandKind, CommandWhat } from "@weft/contract/device/v1/commands.ts";
import { commandCapability, commandGraceSeconds } from "@weft/contract/device/v1/commands.ts";
import type { CommandStatus } from "@weft/contract/domains/devices/settings-enums.ts";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { inCallerScope } from "#kernel/scope.ts";

/** Open commands of one node at most: a device works on a few at a time. */
const maxOpen = 8;

const reasons = {
  offline: ["设备离线", "the device is offline"],
  unmanaged: ["云管理已停用", "cloud management is disabled"],
  unable: ["设备的程序不支持此命令", "the device's software does not support this command"],
  busy: ["设备正在执行其他命令", "the device is busy with other commands"],
} as const;

interface Reach {
  readonly id: number;
  readonly enterprise_id: number;
  readonly online: boolean;
  readonly managed: boolean;
  readonly able: boolean;
  readonly open: number;
}

/** Status of a command now: one that was not answered within its time has expired. */
export const statusNow = (alias: string): RawBuilder<CommandStatus> => sql`
  case when ${sql.ref(`${alias}.status`)} in ('waiting', 'sent')
    and ${sql.ref(`${alias}.expires_at`)} <= now() then 'expired'
  else ${sql.ref(`${alias}.status`)} end`;

const open = sql<SqlBool>`status in ('waiting', 'sent') and expires_at > now()`;

/** The caller's own node and whether a command of this kind would reach its device; locked. */
async function reach(ctx: Context, nodeId: number, kind: CommandKind): Promise<Reach> {
  const capability = JSON.stringify([{ name: commandCapability(kind), can: true }]);
  const { rows } = await sql<Reach>`
    select n.id, n.enterprise_id, coalesce(s.online, false) as online,
      coalesce(c.items ->> 'isCloudManage', '1') = '1' as managed,
      coalesce(s.capabilities @> ${capability}::jsonb, false) as able,
      (select count(*)::int from node_command where node_id = n.id and ${open}) as open
    from node n
    left join node_status s on s.node_id = n.id
    left join node_config c on c.node_id = n.id
    where n.id = ${nodeId} and ${inCallerScope(ctx, "n.enterprise_id", "n.created_by")}
    for no key update of n`.execute(ctx.db);
  return rows[0] ?? refuse("notFound");
}

/**
 * Leaves a command for the device of one of the caller's own nodes; a gateway takes it within moments.
 * @throws Refusal notFound, or notAllowedNow with why it would not reach the device
 */
export async function leaveCommand(
  ctx: Context,
  nodeId: number,
  what: CommandWhat,
  timeoutMs: number,
): Promise<{ id: number; enterpriseId: number; untilMs: number }> {
  const { enterprise_id, online, managed, able, open: under } = await reach(ctx, nodeId, what.kind);
  if (!managed) refuse("notAllowedNow", { reason: reasons.unmanaged });
  if (!online) refuse("notAllowedNow", { reason: reasons.offline });
  if (!able) refuse("notAllowedNow", { reason: reasons.unable });
  if (under >= maxOpen) refuse("notAllowedNow", { reason: reasons.busy });
  const untilMs = timeoutMs + commandGraceSeconds * 1_000;
  const { id } = await ctx.db
    .insertInto("node_command")
    .values({
      enterprise_id,
      node_id: nodeId,
      what: JSON.stringify(what),
      timeout_ms: timeoutMs,
      created_by: ctx.caller.userId,
      expires_at: sql`now() + ${untilMs} * interval '1 ms'`,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return { id, enterpriseId: enterprise_id, untilMs };
}

export interface CommandState {
  readonly status: CommandStatus;
  readonly reason: string | null;
  readonly result: unknown;
}

/** How far a command is. */
export async function readCommand(
  db: Context["db"],
  id: number,
): Promise<CommandState | undefined> {
  const { rows } = await sql<CommandState>`
    select ${statusNow("c")} as status, c.reason, c.result from node_command c
    where c.id = ${id}`.execute(db);
  return rows[0];
}
