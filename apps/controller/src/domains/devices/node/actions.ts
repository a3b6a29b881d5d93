import {
  cpeAddChild,
  cpeEditCugConfig,
  cpeFindAllByGroup,
  cpeGetActive,
  cpeInsert,
  cpeSaveCugEnable,
  cpeSaveEnable,
  cpeUnbind,
} from "@weft/contract/domains/devices/cpe-actions.ts";
import { cpeEditStandby } from "@weft/contract/domains/devices/cpe-standby.ts";
import type { FastifyInstance } from "fastify";
import type { Context } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import { requireEnterprise } from "#kernel/scope.ts";
import {
  activationOf,
  ownCpe,
  pairOf,
  releaseDevice,
  setCug,
  setStandby,
  spacesOf,
} from "./device.ts";
import { audited, enableCpe, meantCpe } from "./enable.ts";
import { listNodes } from "./list.ts";
import { fromCpe, toCpeRow } from "./row.ts";
import { addNode, type NodeValues } from "./store.ts";

const maxOfGroup = 1_000;

async function add(ctx: Context, values: NodeValues): Promise<{ id: number }> {
  const { id, enterpriseId, new: now, touches } = await addNode(ctx, "cpe", values);
  await ctx.audit({ resource: "cpe", rowId: id, old: null, new: now, enterpriseId });
  await ctx.change({ enterpriseId, ...touches });
  return { id };
}

function addRoutes(app: FastifyInstance): void {
  mount(app, cpeInsert, async (draft, ctx) => {
    await requireEnterprise(ctx, draft.groupid, "groupid");
    return add(ctx, fromCpe(draft));
  });
  mount(app, cpeAddChild, async ({ cpeId, ...draft }, ctx) => {
    await requireEnterprise(ctx, draft.groupid, "groupid");
    const parent = await ownCpe(ctx, cpeId);
    if (parent.enterprise_id !== draft.groupid) refuseField("groupid", "notAllowed");
    return add(ctx, { ...fromCpe(draft), parent_node_id: cpeId });
  });
  mount(app, cpeFindAllByGroup, async ({ groupid }, ctx) => {
    const page = { page: 1, limit: maxOfGroup, orderBy: "alias", isAsc: "asc" } as const;
    return (await listNodes(ctx, { kind: "cpe", groupid, ...page })).map(toCpeRow);
  });
}

function enableRoutes(app: FastifyInstance): void {
  mount(app, cpeSaveEnable, async (meant, ctx) => {
    await enableCpe(ctx, meant);
    return null;
  });
  mount(app, cpeSaveCugEnable, async ({ id, enable, hostid }, ctx) => {
    const node = await meantCpe(ctx, id, hostid);
    await setCug(ctx, node, { cug_enabled: enable });
    await audited(ctx, node, {}, { cugEnable: enable });
    // Whom it reaches, and who reaches it.
    const { enterprise_id: enterpriseId } = node;
    await ctx.change({ enterpriseId, nodeIds: [id], spaceIds: await spacesOf(ctx, id) });
    return null;
  });
  mount(app, cpeEditCugConfig, async ({ cpeId, bandwidth }, ctx) => {
    const node = await ownCpe(ctx, cpeId);
    await setCug(ctx, node, { cug_bps: bandwidth });
    await audited(ctx, node, {}, { cugBandwidth: bandwidth });
    await ctx.change({ enterpriseId: node.enterprise_id, nodeIds: [cpeId] });
    return null;
  });
}

/** What is done with a CPE beside editing its row. */
export function cpeActionRoutes(app: FastifyInstance): void {
  addRoutes(app);
  enableRoutes(app);
  mount(app, cpeEditStandby, async ({ cpeId, ...draft }, ctx) => {
    const node = await ownCpe(ctx, cpeId);
    // The state of each names what the other one can do.
    const before = await pairOf(ctx, cpeId);
    const old = await setStandby(ctx, cpeId, draft);
    await audited(ctx, node, old, draft);
    const nodeIds = [...new Set([...before, ...(await pairOf(ctx, cpeId))])];
    await ctx.change({ enterpriseId: node.enterprise_id, nodeIds });
    return null;
  });
  mount(app, cpeGetActive, async ({ id }, ctx) => activationOf(ctx, await ownCpe(ctx, id)));
  mount(app, cpeUnbind, async ({ id }, ctx) => {
    const node = await ownCpe(ctx, id);
    if (!(await releaseDevice(ctx, node))) {
      refuse("notAllowedNow", { reason: ["没有绑定的设备", "no device is bound to it"] });
    }
    await audited(ctx, node, { hostid: node.hostid }, { hostid: null });
    await ctx.change({ enterpriseId: node.enterprise_id, nodeIds: [id] });
    return null;
  });
}
