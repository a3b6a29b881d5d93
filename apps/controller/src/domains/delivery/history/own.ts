import { holds } from "@weft/contract/permissions.ts";
import { missingPermission } from "#kernel/answer.ts";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { findOwnNode, type OwnNode } from "./store.ts";

/** The node, when it is the caller's and the caller may configure a node of its kind. */
export async function requireNode(ctx: Context, id: number): Promise<OwnNode> {
  const node = (await findOwnNode(ctx, id)) ?? refuse("notFound");
  const needed = node.kind === "cpe" ? "cpeConfig" : "popConfig";
  if (!holds(ctx.caller, needed)) throw missingPermission(needed);
  return node;
}
