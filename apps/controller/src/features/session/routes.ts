import { editPassword, login, logout, session } from "@weft/contract/calls/session.ts";
import {
  resetPassword,
  sendSms,
  sendSmsByEmail,
  sendSmsByPhone,
} from "@weft/contract/calls/sign-in.ts";
import type { FastifyInstance } from "fastify";
import { menuFor } from "#features/menu/public.ts";
import { mount, mountOpen } from "#kernel/mount.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import { logIn } from "./login.ts";
import { hashPassword, passwordFits } from "./password.ts";
import { passwordPolicyOf, requirePassword } from "./policy-store.ts";
import { recover } from "./recovery.ts";
import { sendCodeByEmail, sendCodeByPhone, sendLoginCode } from "./send-code.ts";
import { endFamily, ownAccount, setPassword } from "./store.ts";

// A user's own account may lie outside the user's data scope (section 6: custom enterprises).
const whole = "the caller's own account and sessions only";

/** Log-in, session and password (specification section 7.1). */
export function sessionRoutes(app: FastifyInstance): void {
  mountOpen(app, login, (input, facts) => logIn(app.weft, input, facts));
  mountOpen(app, sendSms, (input, facts) => sendLoginCode(app.weft, input, facts));
  mountOpen(app, sendSmsByPhone, (input, facts) => sendCodeByPhone(app.weft, input, facts));
  mountOpen(app, sendSmsByEmail, (input, facts) => sendCodeByEmail(app.weft, input, facts));
  mountOpen(app, resetPassword, (input, facts) => recover(app.weft, input, facts));
  mount(app, session, async (_, { caller, db }) => ({
    userId: caller.userId,
    loginName: caller.loginName,
    roles: [...caller.roles],
    roleType: caller.roleType,
    groupid: caller.enterpriseId,
    enterpriseName: caller.enterpriseName,
    authorities: [...caller.authorities],
    // the same list under its other name.
    perms: [...caller.authorities],
    menus: menuFor(caller),
    passwordPolicy: await passwordPolicyOf({ db }, caller.enterpriseId),
    sysName: app.weft.site.title(caller.language),
    logo: "",
  }));
  mount(
    app,
    logout,
    async (_, ctx) => {
      await endFamily(ctx);
      return null;
    },
    {
      unaudited: "the log-in record tells when people come and go",
      whole,
      personOnly: "a key has no session to end",
    },
  );
  mount(
    app,
    editPassword,
    async ({ userId, oldPsw, newPsw }, ctx) => {
      const { caller } = ctx;
      if (userId !== caller.userId) refuseField("userId", "notAllowed");
      const { password_hash, ...own } = await ownAccount(ctx);
      if (!(await passwordFits(password_hash, oldPsw))) refuse("oldPassword");
      const { enterpriseId } = caller;
      const known = [own.login_name, own.name, own.phone];
      await requirePassword(ctx, "newPsw", newPsw, { enterpriseId, own: known });
      await setPassword(ctx, await hashPassword(newPsw));
      await ctx.audit({
        resource: "user",
        rowId: userId,
        enterpriseId,
        old: null,
        new: { newPsw },
      });
      return null;
    },
    { whole, personOnly: "a key has no password" },
  );
}
