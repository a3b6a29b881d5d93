import {
  cpeAreaAdd,
  type cpeAreaDraft,
  cpeAreaEdit,
  cpeAreaRemove,
  cpeAreaTree,
} from "@weft/contract/domains/devices/cpe-area.ts";
import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { HandlerContext } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import { requireEnterprise } from "#kernel/scope.ts";
import {
  type AreaRow,
  areasBelow,
  insertArea,
  listAreas,
  lockAreas,
  removeAreas,
  updateArea,
} from "./store.ts";

const resource = "cpeArea";
type Draft = z.output<typeof cpeAreaDraft>;

/** The area above must be one of the same enterprise, and no area may end up above itself. */
async function refuseWrongParent(
  ctx: HandlerContext,
  draft: Draft,
  id: number | null,
): Promise<void> {
  await requireEnterprise(ctx, draft.groupid, "groupid");
  if (draft.pId === 0) return;
  const [parent] = await lockAreas(ctx, [draft.pId]);
  if (parent?.enterprise_id !== draft.groupid) refuseField("pId", "unknown");
  if (id !== null && (await areasBelow(ctx, id)).includes(draft.pId)) refuseField("pId", "cycle");
}

const entry = (old: AreaRow | null, now: AreaRow | null) => ({
  resource,
  rowId: (now ?? old)?.id ?? null,
  enterpriseId: (now ?? old)?.enterprise_id ?? 0,
  old,
  new: now,
});

/** Areas in which enterprises sort their CPEs. */
export function cpeAreaRoutes(app: FastifyInstance): void {
  mount(app, cpeAreaTree, ({ groupid }, ctx) => listAreas(ctx, groupid));
  mount(app, cpeAreaAdd, async (draft, ctx) => {
    await refuseWrongParent(ctx, draft, null);
    const row = await insertArea(ctx, draft);
    await ctx.audit(entry(null, row));
    return { id: row.id };
  });
  mount(app, cpeAreaEdit, async ({ id, ...draft }, ctx) => {
    const [old] = await lockAreas(ctx, [id]);
    if (!old) refuse("notFound");
    await refuseWrongParent(ctx, draft, id);
    if (old.enterprise_id !== draft.groupid) refuseField("groupid", "notAllowed");
    await ctx.audit(entry(old, await updateArea(ctx, id, draft)));
    return null;
  });
  mount(app, cpeAreaRemove, async ({ ids }, ctx) => {
    const rows = await lockAreas(ctx, ids);
    if (rows.length !== new Set(ids).size) refuse("notFound");
    await removeAreas(ctx, ids);
    await ctx.audit(...rows.map((row) => entry(row, null)));
    return null;
  });
}
