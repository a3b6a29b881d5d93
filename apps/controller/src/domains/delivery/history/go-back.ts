/** Rollback to an earlier configuration, and its undoing. */
import { isDeepStrictEqual } from "node:util";
import { type DesiredState, fromSections } from "@weft/contract/device/v1/state.ts";
import { stateGoBack, stateRelease } from "@weft/contract/domains/delivery/history.ts";
import type { Message } from "@weft/contract/kernel/message.ts";
import type { FastifyInstance } from "fastify";
import { type BeforeTransaction, mount, mountAfter } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import { presentSections } from "./dry-run.ts";
import { requireNode } from "./own.ts";
import { findCollisions, findPin, removePin, writePin } from "./pin.ts";
import { restored } from "./restore.ts";
import { unfitLines } from "./restored-lines.ts";
import { isBeforeMove, readStateSections, refuseBeforeMove, requireState } from "./store.ts";

const neverConfirmed: Message = [
  "设备从未确认该版本",
  "the device never confirmed this configuration",
];
const notPinned: Message = [
  "节点未固定在历史版本",
  "the node is not pinned to a past configuration",
];

const nothingBack: Message = [
  "该版本的 WAN 链路、LAN 和静态路由与当前相同；其余设置（如 ACL、黑名单）不随版本回退，请在操作日志中撤销",
  "its WAN links, LANs and static routes are those of today; other settings, such as the ACL and the blacklist, do not go back with a configuration: undo them in the operation log",
];

export function goBackRoutes(app: FastifyInstance): void {
  const readPresent = async ({ id }: { readonly id: number }, { read }: BeforeTransaction) =>
    presentSections(app.weft, await read((ctx) => requireNode(ctx, id)));
  mountAfter(app, stateGoBack, readPresent, async ({ id, serial }, ctx, sections) => {
    const node = await requireNode(ctx, id);
    const state = await requireState(ctx, node, serial);
    // Nor by those who may read both: the networks of the former enterprise would act for this one.
    if (isBeforeMove(node, state)) refuseBeforeMove();
    if (state.outcome !== "confirmed") refuse("notAllowedNow", { reason: neverConfirmed });
    const past = fromSections(await readStateSections(ctx, state));
    if (!sections) refuse("notFound");
    const present = fromSections(sections);
    const lines = lineProblem(past, present);
    if (lines) refuse("notAllowedNow", { reason: lines });
    const others = (await findCollisions(ctx, id, past)).join(", ");
    if (others !== "") refuse("notAllowedNow", { reason: overlapText(others) });
    const before = await findPin(ctx, id);
    // A node is never held where that changes nothing: what differs does not go back with a configuration.
    if (!before && isDeepStrictEqual(restored(past, present), present))
      refuse("notAllowedNow", { reason: nothingBack });
    await writePin(ctx, state, past);
    await ctx.audit({
      resource: "nodeState",
      rowId: id,
      old: { heldAt: before?.serial ?? null },
      new: { heldAt: serial },
      enterpriseId: node.enterpriseId,
    });
    await ctx.change({ enterpriseId: node.enterpriseId, nodeIds: [id] });
    return null;
  });
  mount(app, stateRelease, async ({ id }, ctx) => {
    const { enterpriseId } = await requireNode(ctx, id);
    const pin = (await findPin(ctx, id)) ?? refuse("notAllowedNow", { reason: notPinned });
    await removePin(ctx, id);
    await ctx.audit({
      resource: "nodeState",
      rowId: id,
      old: { heldAt: pin.serial },
      new: { heldAt: null },
      enterpriseId,
    });
    await ctx.change({ enterpriseId, nodeIds: [id] });
    return null;
  });
}

/** Why the lines of a past state do not fit today's links; null: they do. */
function lineProblem(past: DesiredState, present: DesiredState): Message | null {
  const [unfit] = unfitLines(past, present);
  if (!unfit) return null;
  return unfit.why === "missing"
    ? [
        `现有链路使用 WAN 链路 ${unfit.slot}，该版本没有这条 WAN 链路`,
        `present links use line ${unfit.slot}, which that configuration has not`,
      ]
    : [
        `对端按现有地址连接 WAN 链路 ${unfit.slot}，该版本的地址不同`,
        `peers call line ${unfit.slot} at its present address; that configuration has another`,
      ];
}

const overlapText = (others: string): Message => [
  `该版本的网段现在属于其他站点：${others}`,
  `networks of that configuration now belong to other sites: ${others}`,
];
