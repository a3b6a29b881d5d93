import {
  type DestinationKind,
  destinationKinds,
} from "@weft/contract/domains/policies/destination-enums.ts";
import { saasGroups } from "@weft/contract/domains/policies/saas-group.ts";
import type { FastifyInstance } from "fastify";
import { pops } from "#domains/devices/public.ts";
import { notifyAccelerated, ownersOf } from "#domains/policies/acceleration/public.ts";
import { requireKnown } from "#domains/policies/applications/public.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { requireRow } from "#kernel/reference.ts";
import { refuseFields } from "#kernel/refuse.ts";
import { clashOf } from "./rules.ts";
import { groupsBeside, saasGroupStores } from "./store.ts";

/** Calls of /customer/saasGroup: the same for each kind of destination (specification section 2.4). */
export function saasGroupRoutes(app: FastifyInstance): void {
  for (const kind of destinationKinds) mountKind(app, kind);
}

function mountKind(app: FastifyInstance, kind: DestinationKind): void {
  mountResource(app, saasGroups[kind] as (typeof saasGroups)["domain"], saasGroupStores[kind], {
    async beforeWrite(ctx, { popId, values }, id) {
      if (kind === "app") requireKnown(values, "values");
      if (popId !== null) await requireRow(ctx, pops, popId, "popId", "readable");
      // Whose it was; after the write only whose it is is known.
      if (id !== null) await notifyAccelerated(ctx, await ownersOf(ctx, "saas_group", [id]));
    },
    async beforeRemove(ctx, ids) {
      await notifyAccelerated(ctx, await ownersOf(ctx, "saas_group", ids));
    },
    async afterWrite(ctx, row) {
      if (row.new === null) return;
      await notifyAccelerated(ctx, [row.enterpriseId]);
      const { own, others } = await groupsBeside(ctx, kind, row.enterpriseId, row.id);
      const clash = clashOf(kind, own, others);
      if (clash) refuseFields([clash]);
    },
  });
}
