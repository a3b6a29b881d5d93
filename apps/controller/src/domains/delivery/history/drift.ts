/** What becomes of changes made on a device: the policy, and a check that an operator starts. */

import { driftFinding } from "@weft/contract/device/v1/commands.ts";
import { driftCheck, driftPolicy } from "@weft/contract/domains/delivery/history.ts";
import type { DriftPolicy } from "@weft/contract/domains/devices/enums.ts";
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { awaitAnswer, startCommand } from "#domains/devices/command/public.ts";
import type { Context } from "#kernel/api.ts";
import { mount, mountInSteps } from "#kernel/mount.ts";
import { requireNode } from "./own.ts";

/** Keeps the policy among the node's settings. @returns the one before */
async function keepPolicy(
  ctx: Context,
  node: { readonly id: number; readonly enterpriseId: number },
  policy: DriftPolicy,
): Promise<DriftPolicy> {
  const { rows } = await sql<{ before: DriftPolicy | null }>`
    with before as (select items ->> 'driftPolicy' as policy from node_config
      where node_id = ${node.id})
    insert into node_config (node_id, enterprise_id, items)
    values (${node.id}, ${node.enterpriseId}, jsonb_build_object('driftPolicy', ${policy}::text))
    on conflict (node_id) do update
      set items = node_config.items || excluded.items, updated_at = now()
    returning (select policy from before) as before`.execute(ctx.db);
  return rows[0]?.before ?? "heal";
}

export function driftRoutes(app: FastifyInstance): void {
  mount(app, driftPolicy, async ({ id, policy }, ctx) => {
    const { enterpriseId } = await requireNode(ctx, id);
    const before = await keepPolicy(ctx, { id, enterpriseId }, policy);
    await ctx.audit({
      resource: "nodeState",
      rowId: id,
      old: { driftPolicy: before },
      new: { driftPolicy: policy },
      enterpriseId,
    });
    await ctx.change({ enterpriseId, nodeIds: [id] });
    return null;
  });
  mountInSteps(
    app,
    driftCheck,
    async ({ id, heal }, ctx) => {
      await requireNode(ctx, id);
      return startCommand(ctx, id, { kind: "drift", heal });
    },
    async ({ id, untilMs }, caller) =>
      driftFinding.parse((await awaitAnswer(app.weft, caller, id, untilMs)).result),
  );
}
