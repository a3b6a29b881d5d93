import type { Context } from "#kernel/api.ts";
import { refuseField } from "#kernel/refuse.ts";
import { type OwnNode, ownCpe, setEnabled } from "./device.ts";

/** The caller's own CPE; refused when a device other than the one that is meant serves it by now. */
export async function meantCpe(ctx: Context, id: number, hostid: string): Promise<OwnNode> {
  const node = await ownCpe(ctx, id);
  if (hostid !== "" && node.hostid !== hostid) refuseField("hostid", "unknown");
  return node;
}

/** Writes what was done to a CPE into the operation log. */
export const audited = (ctx: Context, node: OwnNode, old: object, now: object) =>
  ctx.audit({
    resource: "cpe",
    rowId: node.id,
    old,
    new: now,
    enterpriseId: node.enterprise_id,
  });

interface Meant {
  readonly id: number;
  readonly enable: boolean;
  /** Of the device that is meant; empty: whichever. */
  readonly hostid: string;
}

/** Enables or disables a CPE: without it no link is up. */
export async function enableCpe(ctx: Context, { id, enable, hostid }: Meant): Promise<void> {
  const node = await meantCpe(ctx, id, hostid);
  await setEnabled(ctx, id, enable);
  await audited(ctx, node, { enable: node.enabled }, { enable });
  await ctx.change({ enterpriseId: node.enterprise_id, nodeIds: [id] });
}
