import {
  cfgInit,
  cpeBatchEditXwan,
  cpeCfgAdd,
  cpeCfgEditXwan,
  cpeConfigInit,
  cpeConfigVersions,
  cpePortById,
  cpePortEdit,
  cpeTypeList,
  cpeTypes,
  popCfg,
  popCfgEdit,
  popConfigVersions,
  popInterfaceList,
} from "@weft/contract/domains/devices/cpe-config.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import type { FastifyInstance } from "fastify";
import { mountBatches } from "#batch/mount-batch.ts";
import type { HandlerContext } from "#kernel/api.ts";
import { mount, mountWithMetrics } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import { requireUnchanged, rowWithETag } from "#kernel/row-version.ts";
import { configBatches } from "./batch.ts";
import { listInterfaces } from "./interfaces.ts";
import { findPort, portsOf, writePort } from "./ports.ts";
import { save } from "./save.ts";
import { configOf, configVersionOf, forgetSettings, lockNodes, readNode } from "./store.ts";

/** Settings as their read call returns them; a node that is not the caller's is refused. */
async function cpeSettings(ctx: HandlerContext, cpeId: number) {
  const node = (await readNode(ctx, cpeId, "cpe")) ?? refuse("notFound");
  return { cpeId, ...configOf(node), rowVersion: configVersionOf(node) };
}
async function popSettings(ctx: HandlerContext, popId: number) {
  const node = (await readNode(ctx, popId, "pop")) ?? refuse("notFound");
  const { mtu, szCrontab, updateTime } = configOf(node);
  return { popId, mtu, szCrontab, updateTime, rowVersion: configVersionOf(node) };
}

async function saveCpe(
  ctx: HandlerContext,
  { cpeId, rowVersion, ...given }: InputOf<typeof cpeCfgAdd>,
): Promise<null> {
  const edit = { id: cpeId, rowVersion };
  await requireUnchanged(ctx, cpeConfigVersions, edit, () => cpeSettings(ctx, cpeId));
  return save(ctx, "cpe", [cpeId], given);
}

function cpeConfigRoutes(app: FastifyInstance): void {
  mount(app, cpeCfgAdd, (input, ctx) => saveCpe(ctx, input));
  mount(app, cpeCfgEditXwan, (input, ctx) => saveCpe(ctx, input));
  mount(app, cpeBatchEditXwan, ({ ids, ...given }, ctx) => save(ctx, "cpe", ids, given));
  mountBatches(app, configBatches);
  mount(app, cpeConfigInit, async ({ cpeId }, ctx) => {
    const [node] = await lockNodes(ctx, [cpeId], "cpe");
    if (!node) refuse("notFound");
    const old = { items: node.items ?? {}, ...(await forgetSettings(ctx, cpeId)) };
    const enterpriseId = node.enterprise_id;
    await ctx.audit({ resource: "cpeCfg", rowId: cpeId, old, new: null, enterpriseId });
    await ctx.change({ enterpriseId, nodeIds: [cpeId] });
    return null;
  });
  mount(app, cfgInit, async ({ cpeId }, ctx) => {
    const cpeConfig = rowWithETag(ctx, await cpeSettings(ctx, cpeId));
    const ports = await portsOf(ctx, cpeId);
    return { cpeConfig, ports, types: [...cpeTypes] };
  });
  mount(app, cpeTypeList, ({ page, limit }) => ({
    rows: cpeTypes.slice((page - 1) * limit, page * limit),
    count: cpeTypes.length,
  }));
}

function portRoutes(app: FastifyInstance): void {
  mount(app, cpePortById, async ({ id }, ctx) => (await findPort(ctx, id)) ?? refuse("notFound"));
  mount(app, cpePortEdit, async ({ id, speed, remark }, ctx) => {
    const old = (await writePort(ctx, id, { speed_mbps: speed, remark })) ?? refuse("notFound");
    await ctx.audit({
      resource: "cpePorts",
      rowId: id,
      old: { nodeId: old.node_id, name: old.name, speed: old.speed_mbps, remark: old.remark },
      new: { nodeId: old.node_id, name: old.name, speed, remark },
      enterpriseId: old.enterprise_id,
    });
    return null;
  });
}

function popConfigRoutes(app: FastifyInstance): void {
  mount(app, popCfg, async ({ popId }, ctx) => rowWithETag(ctx, await popSettings(ctx, popId)));
  mount(app, popCfgEdit, async ({ popId, rowVersion, ...given }, ctx) => {
    const edit = { id: popId, rowVersion };
    await requireUnchanged(ctx, popConfigVersions, edit, () => popSettings(ctx, popId));
    return save(ctx, "pop", [popId], given);
  });
  mountWithMetrics(app, popInterfaceList, async (query, ctx) => {
    if (!(await readNode(ctx, query.popId, "pop"))) refuse("notFound");
    return listInterfaces(ctx, query);
  });
}

/** What is set on a device as a whole. */
export function nodeConfigRoutes(app: FastifyInstance): void {
  cpeConfigRoutes(app);
  portRoutes(app);
  popConfigRoutes(app);
}
