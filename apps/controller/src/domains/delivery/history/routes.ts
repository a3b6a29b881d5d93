import {
  maxDifferences,
  stateDifference,
  stateList,
  stateSend,
} from "@weft/contract/domains/delivery/history.ts";
import type { FastifyInstance } from "fastify";
import { releaseState } from "#domains/delivery/lifecycle/public.ts";
import type { HandlerContext } from "#kernel/api.ts";
import { redact } from "#kernel/audit.ts";
import { type BeforeTransaction, mount, mountAfter } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import { type Difference, differences } from "./difference.ts";
import { driftRoutes } from "./drift.ts";
import { presentSections } from "./dry-run.ts";
import { goBackRoutes } from "./go-back.ts";
import { requireNode } from "./own.ts";
import {
  findConfirmed,
  listStates,
  lockHeld,
  readStateSections,
  requireState,
  spaceNames,
} from "./store.ts";

const notHeld = { reason: ["没有等待放行的配置", "no state is pending approval"] } as const;

/** States of a node over time. */
export function historyRoutes(app: FastifyInstance): void {
  goBackRoutes(app);
  driftRoutes(app);
  mount(app, stateList, async (query, ctx) =>
    listStates(ctx, await requireNode(ctx, query.id), query),
  );
  const present = async (
    { id, to }: { readonly id: number; readonly to: number | null },
    { read }: BeforeTransaction,
  ) => {
    const node = await read((ctx) => requireNode(ctx, id));
    return to === null ? presentSections(app.weft, node) : null;
  };
  mountAfter(app, stateDifference, present, async ({ id, from, to }, ctx, sections) => {
    const node = await requireNode(ctx, id);
    const old =
      from === null ? await findConfirmed(ctx, node) : await requireState(ctx, node, from);
    const now = to === null ? null : await requireState(ctx, node, to);
    const changes = differences(
      old ? await readStateSections(ctx, old) : new Map(),
      now ? await readStateSections(ctx, now) : (sections ?? refuse("notFound")),
    );
    return {
      from: old?.serial ?? null,
      to: now?.serial ?? null,
      count: changes.length,
      objects: await named(ctx, changes.slice(0, maxDifferences)),
    };
  });
  mount(app, stateSend, async ({ id, serial }, ctx) => {
    const { enterpriseId } = await requireNode(ctx, id);
    const state = (await lockHeld(ctx, id)) ?? refuse("notAllowedNow", notHeld);
    // The state that the operator has read is the one that is sent.
    if (state.serial !== serial) refuse("conflict");
    await releaseState(ctx, id, state);
    await ctx.audit({
      resource: "nodeState",
      rowId: id,
      old: { serial, outcome: "held" },
      new: { serial, outcome: "waiting" },
      enterpriseId,
    });
    // Nothing to compile: gateways are notified and find the state waiting.
    await ctx.change({ enterpriseId, nodeIds: [id] });
    return null;
  });
}

/** With names of spaces, and without the values of secret fields. */
async function named(ctx: HandlerContext, found: readonly Difference[]) {
  const ids = new Set(found.flatMap(({ spaceId }) => (spaceId === null ? [] : [spaceId])));
  const names = await spaceNames(ctx, [...ids]);
  const shown = (field: string, value: unknown): unknown =>
    (redact({ [field]: value }) as Record<string, unknown>)[field];
  return found.map((difference) => ({
    ...difference,
    spaceName: difference.spaceId === null ? "" : (names.get(difference.spaceId) ?? ""),
    fields: difference.fields.map(({ field, old, new: now }) => ({
      field,
      old: shown(field, old),
      new: shown(field, now),
    })),
  }));
}
