/** Commands on their way to devices, and what devices answered. */
import { type CommandWhat, commandBytes } from "@weft/contract/device/v1/commands.ts";
import type { MessageFromEdge } from "@weft/contract/device/v1/messages.ts";
import { sql } from "kysely";
import { inScope, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { OpenSocket } from "#domains/devices/presence/public.ts";

/** A command on its way to the device of a node. */
export interface WaitingCommand {
  readonly id: number;
  readonly node: number;
  readonly timeoutMs: number;
  readonly what: CommandWhat;
}

/** Takes what waits for these sockets: each command once, whatever becomes of it. */
export async function takeCommands(
  pools: Pools<Database>,
  sockets: readonly OpenSocket[],
): Promise<WaitingCommand[]> {
  const { rows } = await sql<{
    id: number;
    node_id: number;
    timeout_ms: number;
    what: CommandWhat;
  }>`select id, node_id, timeout_ms, what from weft.take_commands(
      ${sockets.map(({ node }) => node)}::bigint[],
      ${sockets.map(({ epoch }) => epoch)}::bigint[])`.execute(pools.gateway.db);
  return rows.map(({ id, node_id, timeout_ms, what }) => ({
    id,
    what,
    node: node_id,
    timeoutMs: timeout_ms,
  }));
}

/**
 * Keeps an answer, once and only to a command that was sent to this node. What the command carried
 * is forgotten: contents of files and fields have no place in a log.
 */
export async function keepAnswer(
  pools: Pools<Database>,
  node: number,
  { id, outcome, reason, result }: MessageFromEdge<"answer">,
): Promise<void> {
  const text = result === null || result === undefined ? null : JSON.stringify(result);
  const isTooLarge = text !== null && Buffer.byteLength(text) > commandBytes.result;
  await inScope(pools.gateway, { kind: "node", nodeId: node }, (trx) =>
    trx
      .updateTable("node_command")
      .set({
        status: isTooLarge ? "failed" : outcome,
        reason: isTooLarge ? "the answer is too large" : reason,
        result: isTooLarge ? null : text,
        what: sql`what - 'fields' - 'file'`,
        ended_at: sql`now()`,
      })
      .where("id", "=", id)
      .where("status", "=", "sent")
      .execute(),
  );
}
