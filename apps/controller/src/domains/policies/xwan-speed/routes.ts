import type { DestinationKind } from "@weft/contract/domains/policies/destination-enums.ts";
import {
  xwanSpeed,
  xwanSpeedDefine,
  xwanSpeedDefineImport,
} from "@weft/contract/domains/policies/xwan-speed.ts";
import type { FastifyInstance } from "fastify";
import { notifyAccelerated, ownersOf } from "#domains/policies/acceleration/public.ts";
import { requireKnown } from "#domains/policies/applications/public.ts";
import type { HandlerContext } from "#kernel/api.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { mountImport } from "#transfer/mount-import.ts";
import { requireSpeed, xwanSpeedDefineStore, xwanSpeedStore } from "./store.ts";

interface Definition {
  readonly kind: DestinationKind;
  readonly value: string;
}

/** What only the catalogue decides. */
const requireValue = ({ kind, value }: Definition): void => {
  if (kind === "app") requireKnown([value], "value");
};

/** Calls of /customer/xwanSpeed and xwanSpeedDefine (specification section 7.2). */
export function xwanSpeedRoutes(app: FastifyInstance): void {
  mountResource(app, xwanSpeed, xwanSpeedStore, {
    async beforeWrite(ctx, _, id) {
      // Whose it was; after the write only whose it is is known.
      if (id !== null) await notifyAccelerated(ctx, await ownersOf(ctx, "xwan_speed", [id]));
    },
    async beforeRemove(ctx, ids) {
      await notifyAccelerated(ctx, await ownersOf(ctx, "xwan_speed", ids));
    },
    async afterWrite(ctx, row) {
      if (row.new !== null) await notifyAccelerated(ctx, [row.enterpriseId]);
    },
  });
  mountResource(app, xwanSpeedDefine, xwanSpeedDefineStore, {
    beforeWrite: async (_, draft) => requireValue(draft),
    async beforeRemove(ctx, ids) {
      await notifyAccelerated(ctx, await ownersOf(ctx, "xwan_speed_define", ids));
    },
    async afterWrite(ctx, row) {
      if (row.new !== null) await notifyAccelerated(ctx, [row.enterpriseId]);
    },
  });
  const imported = new WeakSet<HandlerContext>();
  mountImport(app, xwanSpeedDefineImport, {
    resource: xwanSpeedDefine.name,
    prepare: (ctx, { speedId }) => requireSpeed(ctx, speedId),
    async add(ctx, { remark, ...row }, { speedId }) {
      requireValue(row);
      const written = await xwanSpeedDefineStore.add(ctx, {
        ...row,
        remark: remark ?? "",
        speedId,
      });
      // One change for all rows of a file.
      if (!imported.has(ctx)) await notifyAccelerated(ctx, [written.enterpriseId]);
      imported.add(ctx);
      return written;
    },
  });
}
