import { loginPasskey, loginPasskeyBegin } from "@weft/contract/domains/access/factors.ts";
import {
  resetPassword,
  sendSms,
  sendSmsByEmail,
  sendSmsByPhone,
} from "@weft/contract/domains/access/login.ts";
import { editPassword, login, logout, session } from "@weft/contract/domains/access/session.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { FastifyInstance } from "fastify";
import { menuFor } from "#domains/access/menu/public.ts";
import { savedColumns } from "#domains/access/saved-columns/public.ts";
import { brandOf } from "#domains/enterprises/brand/public.ts";
import { displayConfig } from "#domains/enterprises/config-item/public.ts";
import { paramsOf } from "#domains/enterprises/param-config/public.ts";
import type { HandlerContext } from "#kernel/api.ts";
import { mount, mountOpen } from "#kernel/mount.ts";
import { refuseField } from "#kernel/refuse.ts";
import { logIn, logInWithPasskey, startWithPasskey } from "./login.ts";
import { revokeOwnKeys } from "./made-keys.ts";
import { notifyCaller } from "./notices.ts";
import { requireOwnPassword } from "./own-store.ts";
import { hashPassword } from "./password.ts";
import { passwordPolicyOf, requirePassword } from "./policy-store.ts";
import { recover } from "./recovery.ts";
import { sendCodeByEmail, sendCodeByPhone, sendLoginCode } from "./send-code.ts";
import { endFamily, setPassword } from "./store.ts";

// A user's own account may be outside of the user's data scope (section 6: custom enterprises).
const unscopedReason = "the caller's own account and sessions only";

const allowWithoutMfa = "it is part of setting up MFA, or of logging out";

/** Login, session and password (specification section 7.1). */
export function sessionRoutes(app: FastifyInstance): void {
  openRoutes(app);
  const visitors = "who came by a link must know what it opens";
  mount(app, session, (_, ctx) => sessionAnswer(app, ctx), { allowWithoutMfa, visitors });
  mount(
    app,
    logout,
    async (_, ctx) => {
      await endFamily(ctx);
      return null;
    },
    {
      allowWithoutMfa,
      unaudited: "the login log records logins and logouts",
      unscopedReason,
      personOnly: "a key has no session to end",
    },
  );
  mount(
    app,
    editPassword,
    async ({ userId, oldPsw, newPsw, revokeKeys }, ctx) => {
      const { caller } = ctx;
      if (userId !== caller.userId) refuseField("userId", "notAllowed");
      const ownAccount = await requireOwnPassword(ctx, oldPsw);
      const { enterpriseId } = caller;
      const known = [ownAccount.login_name, ownAccount.name, ownAccount.phone];
      await requirePassword(ctx, "newPsw", newPsw, { enterpriseId, own: known });
      await setPassword(ctx, await hashPassword(newPsw));
      const revoked = revokeKeys ? await revokeOwnKeys(ctx) : [];
      await notifyCaller(ctx, "password");
      const changed = { loginName: caller.loginName, newPsw };
      await ctx.audit(
        { resource: "user", rowId: userId, enterpriseId, old: null, new: changed },
        ...revoked,
      );
      return null;
    },
    { unscopedReason, allowWithoutMfa, personOnly: "a key has no password" },
  );
}

/** Calls of users who are not logged in. */
function openRoutes(app: FastifyInstance): void {
  mountOpen(app, login, (input, facts) => logIn(app.weft, input, facts));
  mountOpen(app, loginPasskeyBegin, (input, facts) => startWithPasskey(app.weft, input, facts));
  mountOpen(app, loginPasskey, (input, facts) => logInWithPasskey(app.weft, input, facts));
  mountOpen(app, sendSms, (input, facts) => sendLoginCode(app.weft, input, facts));
  mountOpen(app, sendSmsByPhone, (input, facts) => sendCodeByPhone(app.weft, input, facts));
  mountOpen(app, sendSmsByEmail, (input, facts) => sendCodeByEmail(app.weft, input, facts));
  mountOpen(app, resetPassword, (input, facts, warn) => recover(app.weft, input, facts, warn));
}

/** Who is logged in, with permissions, scope and display settings of tables. */
async function sessionAnswer(
  app: FastifyInstance,
  ctx: HandlerContext,
): Promise<OutputOf<typeof session>> {
  const { caller } = ctx;
  const [colums, brand, params, display] = await Promise.all([
    savedColumns(ctx),
    brandOf(ctx, caller.enterpriseId),
    paramsOf(ctx, caller.enterpriseId),
    displayConfig(ctx, caller.enterpriseId),
  ]);
  const authorities = caller.mustAddFactor ? [] : [...caller.authorities];
  const user = {
    userId: caller.userId,
    loginName: caller.loginName,
    roles: [...caller.roles],
    roleType: caller.roleType,
    groupid: caller.enterpriseId,
    authorities,
  };
  return {
    ...user,
    user,
    enterpriseName: caller.enterpriseName,
    // the same list under its other name.
    perms: authorities,
    menus: caller.mustAddFactor ? [] : menuFor(caller),
    mustAddFactor: caller.mustAddFactor,
    hasMfa: caller.hasMfa,
    providerLogin: caller.providerLogin !== null,
    providerId: caller.providerLogin?.providerId ?? null,
    demonstration: app.weft.demonstration !== null,
    visitEndTime: caller.visitEndTime,
    passwordPolicy: await passwordPolicyOf(ctx, caller.enterpriseId),
    sysName: app.weft.site.title(caller.language),
    logo: brand.logo ?? "",
    icon: brand.icon ?? "",
    color: brand.color ?? "",
    ...(brand.name !== null && { logoName: brand.name }),
    colums,
    cpeColomn: (colums.cpe ?? []).join(","),
    // The console keeps its open pages itself.
    tabs: [],
    logDate: String(params.logDays),
    ...display,
    clientColomn: (colums.client ?? []).join(","),
  };
}
