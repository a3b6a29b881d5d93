import { type CommandWhat, commandSeconds } from "@weft/contract/device/v1/commands.ts";
import type { Context } from "#kernel/api.ts";
import { leaveCommand } from "./store.ts";

/** What of a command is written down: never the contents that it carries. */
const forAudit = (what: CommandWhat): object =>
  what.kind === "relay"
    ? {
        kind: what.kind,
        method: what.method,
        path: what.path,
        fields: Object.keys(what.fields),
        file: what.file?.name ?? null,
      }
    : what;

export interface Started {
  readonly id: number;
  readonly untilMs: number;
}

/**
 * Leaves a command for a device, with its audit row; `awaitAnswer` waits for what becomes of it.
 * @throws Refusal notFound, or notAllowedNow with why it would not reach the device
 */
export async function startCommand(
  ctx: Context,
  nodeId: number,
  what: CommandWhat,
): Promise<Started> {
  const left = await leaveCommand(ctx, nodeId, what, commandSeconds[what.kind] * 1_000);
  const { id, enterpriseId, untilMs } = left;
  await ctx.audit({
    resource: "command",
    rowId: nodeId,
    old: null,
    new: { command: id, ...forAudit(what) },
    enterpriseId,
  });
  return { id, untilMs };
}
