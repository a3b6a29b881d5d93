import { userResetFactors } from "@weft/contract/domains/access/factors.ts";
import {
  user,
  userEditEnable,
  userInfo,
  userResetPwd,
} from "@weft/contract/domains/access/user.ts";
import type { FastifyInstance } from "fastify";
import { mount, requirePerson } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { ownRow, resetFactors, resetPassword, setEnabled, userStore } from "./store.ts";

const personOnly = "people decide who logs in, and how";

/** Calls of /customer/user but for those of the caller's own session (access/session). */
export function userRoutes(app: FastifyInstance): void {
  // An add brings a password as well, an edit the caller's own.
  mountResource(app, user, userStore(app.weft.site), {
    // A person whom a key made would make the next key: what it may do would outlive it.
    beforeWrite: async ({ caller }, _, id) => {
      if (id === null) requirePerson(caller);
    },
  });
  mount(app, userInfo, (_, ctx) => ownRow(ctx), {
    unscopedReason: "the caller's own row only",
    personOnly: "a key has no row among the users",
  });
  mount(
    app,
    userResetPwd,
    async ({ userId, newPsw }, ctx) => {
      const { enterpriseId, loginName, revoked } = await resetPassword(ctx, userId, newPsw);
      // The audit trail redacts the password; that it was set remains.
      const values = { old: { loginName }, new: { loginName, newPsw } };
      await ctx.audit({ resource: user.name, rowId: userId, enterpriseId, ...values }, ...revoked);
      return null;
    },
    { personOnly },
  );
  mount(
    app,
    userResetFactors,
    async ({ userId }, ctx) => {
      const { enterpriseId, loginName } = await resetFactors(ctx, userId);
      const values = { old: { loginName, factors: true }, new: { loginName, factors: false } };
      await ctx.audit({ resource: user.name, rowId: userId, enterpriseId, ...values });
      return null;
    },
    { personOnly },
  );
  mount(app, userEditEnable, async ({ userId, enable }, ctx) => {
    const { id, enterpriseId, ...values } = await setEnabled(ctx, userId, enable);
    await ctx.audit({ resource: user.name, rowId: id, enterpriseId, ...values });
    return null;
  });
}
