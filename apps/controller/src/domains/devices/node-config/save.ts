import type { GivenItems } from "@weft/contract/domains/devices/cpe-config.ts";
import type { Context } from "#kernel/api.ts";
import { lockNodes, setItems } from "./store.ts";

/** Sets items on all of these nodes or on none, with one audit row each. */
export async function save(
  ctx: Context,
  kind: "cpe" | "pop",
  ids: readonly number[],
  given: Partial<GivenItems>,
): Promise<null> {
  const locked = await lockNodes(ctx, [...new Set(ids)], kind);
  const written = await setItems(ctx, locked, given);
  await ctx.audit(
    ...locked.map(({ id, enterprise_id }, at) => ({
      resource: kind === "cpe" ? "cpeCfg" : "popCfg",
      rowId: id,
      old: written[at]?.old ?? null,
      new: written[at]?.now ?? null,
      enterpriseId: enterprise_id,
    })),
  );
  await ctx.change(
    ...locked.map(({ id, enterprise_id }) => ({ enterpriseId: enterprise_id, nodeIds: [id] })),
  );
  return null;
}
