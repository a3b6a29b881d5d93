import {
  accountBatchExpire,
  accountClient,
  accountEditEnable,
  accountEditKey,
  accountEditPass,
  accountExport,
  accountGetById,
  accountImport,
  mobileAccount,
} from "@weft/contract/domains/mobile/mobile-account.ts";
import type { FastifyInstance } from "fastify";
import { mountBatches } from "#batch/mount-batch.ts";
import { mountRowsExport } from "#domains/access/sheet/public.ts";
import { pops } from "#domains/devices/public.ts";
import { mount, mountInSteps } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { requireRow } from "#kernel/reference.ts";
import { rowWithETag } from "#kernel/row-version.ts";
import { requireEnterprise } from "#kernel/scope.ts";
import { mountImport } from "#transfer/mount-import.ts";
import { clientOf, notifyPops, readClient, setKey } from "./account-client.ts";
import { accountBatches } from "./batch.ts";
import { readAccount } from "./list.ts";
import { changeMany, mobileAccountStore, setPassword } from "./store.ts";

/** Defaults of an imported account. */
const imported = { enable: true, popId: null, txbps: null, rxbps: null, expire: null } as const;

/** Calls of /customer/account (specification section 7.3). */
export function mobileAccountRoutes(app: FastifyInstance): void {
  mountResource(app, mobileAccount, mobileAccountStore, {
    async beforeWrite(ctx, { popId }) {
      if (popId !== null) await requireRow(ctx, pops, popId, "popId", "readable");
    },
  });
  mount(app, accountGetById, async ({ id }, ctx) => rowWithETag(ctx, await readAccount(ctx, id)));
  mount(app, accountBatchExpire, async ({ ids, expire }, ctx) => {
    await changeMany(ctx, ids, { expire_at: expire }, notifyPops);
    return null;
  });
  mount(app, accountEditEnable, async ({ ids, enable }, ctx) => {
    await changeMany(ctx, ids, { enabled: enable }, notifyPops);
    return null;
  });
  mount(app, accountEditKey, async ({ id, publicKey }, ctx) => {
    await setKey(ctx, id, publicKey);
    return null;
  });
  mountInSteps(
    app,
    accountClient,
    ({ id }, ctx) => readClient(ctx, id),
    (client) => clientOf(app.weft.pools, client),
  );
  mount(app, accountEditPass, async ({ id, password }, ctx) => {
    await setPassword(ctx, id, password);
    return null;
  });
  mountBatches(app, accountBatches);
  mountRowsExport(app, accountExport, mobileAccount.name);
  mountImport(app, accountImport, {
    resource: mobileAccount.name,
    prepare: (ctx, { groupid }) => requireEnterprise(ctx, groupid, "groupid"),
    add: (ctx, { remark, ...row }, { groupid }) =>
      mobileAccountStore.add(ctx, { ...row, ...imported, remark: remark ?? "", groupid }),
  });
}
