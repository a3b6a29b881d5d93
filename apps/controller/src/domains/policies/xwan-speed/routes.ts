import type { DestinationKind } from "@weft/contract/domains/policies/destination-enums.ts";
import {
  xwanSpeed,
  xwanSpeedDefine,
  xwanSpeedDefineImport,
} from "@weft/contract/domains/policies/xwan-speed.ts";
import type { FastifyInstance } from "fastify";
import { requireKnown } from "#domains/policies/applications/public.ts";
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
  mountResource(app, xwanSpeed, xwanSpeedStore);
  mountResource(app, xwanSpeedDefine, xwanSpeedDefineStore, {
    beforeWrite: async (_, draft) => requireValue(draft),
  });
  mountImport(app, xwanSpeedDefineImport, {
    resource: xwanSpeedDefine.name,
    prepare: (ctx, { speedId }) => requireSpeed(ctx, speedId),
    async add(ctx, { remark, ...row }, { speedId }) {
      requireValue(row);
      return xwanSpeedDefineStore.add(ctx, { ...row, remark: remark ?? "", speedId });
    },
  });
}
