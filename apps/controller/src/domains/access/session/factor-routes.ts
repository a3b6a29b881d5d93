import {
  factorList,
  passkeyAdd,
  passkeyBegin,
  passkeyRemove,
  recoveryRenew,
  totpBegin,
  totpConfirm,
  totpRemove,
  userEndSession,
  userSessions,
} from "@weft/contract/domains/access/factors.ts";
import type { FastifyInstance } from "fastify";
import type { Api, HandlerContext } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import {
  confirmTotp,
  factorsOfCaller,
  hasFactor,
  isDemanded,
  keepTotp,
  removeRecoveryCodes,
  removeTotp,
  renewRecoveryCodes,
  totpOf,
} from "./factor-store.ts";
import { notifyCaller, type SecurityEvent } from "./notices.ts";
import { endSessionOf, requireOwnPassword, sessionsOf } from "./own-store.ts";
import { checkNewPasskey, startPasskey } from "./passkey.ts";
import { addPasskey, passkeysOfCaller, removePasskey } from "./passkey-store.ts";
import { newTotpSecret, totpUri } from "./totp.ts";

// A user's own account may lie outside the user's data scope (section 6: custom enterprises).
const own = {
  unscopedReason: "the caller's own account and sessions only",
  personOnly: "a key has no MFA methods and no sessions",
};
const setUp = { ...own, allowWithoutMfa: "this is how MFA is set up" };

/** Audit row and message of what changed about how the caller's account is guarded. */
async function record(ctx: HandlerContext, event: SecurityEvent): Promise<void> {
  const { userId, enterpriseId, loginName } = ctx.caller;
  await notifyCaller(ctx, event);
  const change = { old: null, new: { loginName, event } };
  await ctx.audit({ resource: "user", rowId: userId, enterpriseId, ...change });
}

/** The first factor brings recovery codes along. */
async function afterAdding(ctx: HandlerContext, event: SecurityEvent) {
  const { recoveryLeft } = await factorsOfCaller(ctx);
  await record(ctx, event);
  return { recoveryCodes: recoveryLeft > 0 ? null : await renewRecoveryCodes(ctx) };
}

/** The last factor takes the recovery codes along, and stays where it is demanded. */
async function afterRemoving(ctx: HandlerContext, event: SecurityEvent): Promise<null> {
  if (!hasFactor(await factorsOfCaller(ctx))) {
    if (await isDemanded(ctx)) {
      refuse("notAllowedNow", {
        reason: ["您的角色或企业要求两步验证", "your role or enterprise requires MFA"],
      });
    }
    await removeRecoveryCodes(ctx);
  }
  await record(ctx, event);
  return null;
}

/** MFA methods of the caller's account, and its sessions (/user/info). */
export function factorRoutes(app: FastifyInstance): void {
  const api: Api = app.weft;
  mount(
    app,
    factorList,
    async (_, ctx) => {
      const [{ totp, recoveryLeft }, passkeys, demanded] = await Promise.all([
        factorsOfCaller(ctx),
        passkeysOfCaller(ctx),
        isDemanded(ctx),
      ]);
      const listed = passkeys.map((passkey) => ({
        credential: passkey.credential_id,
        name: passkey.name,
        host: passkey.rp_id,
        createTime: passkey.created_at,
        lastUsed: passkey.last_used_at,
      }));
      return { totp, recoveryLeft, demanded, passkeys: listed };
    },
    setUp,
  );
  totpRoutes(app, api);
  passkeyRoutes(app, api);
  mount(
    app,
    recoveryRenew,
    async ({ oldPsw }, ctx) => {
      await requireOwnPassword(ctx, oldPsw);
      if (!hasFactor(await factorsOfCaller(ctx))) refuse("notFound");
      await record(ctx, "codesRenewed");
      return { recoveryCodes: await renewRecoveryCodes(ctx) };
    },
    own,
  );
  mount(app, userSessions, (_, ctx) => sessionsOf(ctx), own);
  mount(
    app,
    userEndSession,
    async ({ session }, ctx) => {
      await endSessionOf(ctx, session);
      return null;
    },
    { ...own, unaudited: "the caller's own sessions concern no one else" },
  );
}

function totpRoutes(app: FastifyInstance, { vault, site }: Api): void {
  mount(
    app,
    totpBegin,
    async ({ oldPsw }, ctx) => {
      await requireOwnPassword(ctx, oldPsw);
      const { userId, loginName, language } = ctx.caller;
      const secret = newTotpSecret();
      await keepTotp(ctx, vault.seal(secret, totpOf(userId)));
      return { secret, uri: totpUri(secret, site.title(language), loginName) };
    },
    { ...setUp, unaudited: "nothing counts before it is confirmed" },
  );
  mount(
    app,
    totpConfirm,
    async ({ sms }, ctx) => {
      await confirmTotp(ctx, vault, sms);
      return afterAdding(ctx, "totpAdded");
    },
    setUp,
  );
  mount(
    app,
    totpRemove,
    async ({ oldPsw }, ctx) => {
      await requireOwnPassword(ctx, oldPsw);
      await removeTotp(ctx);
      return afterRemoving(ctx, "totpRemoved");
    },
    own,
  );
}

function passkeyRoutes(app: FastifyInstance, api: Api): void {
  mount(
    app,
    passkeyBegin,
    async ({ oldPsw }, ctx) => {
      await requireOwnPassword(ctx, oldPsw);
      return startPasskey(api, ctx);
    },
    { ...setUp, unaudited: "nothing counts before the passkey answers" },
  );
  mount(
    app,
    passkeyAdd,
    async ({ ticket, name, response }, ctx) => {
      const made = await checkNewPasskey(ctx, ticket, response);
      await addPasskey(ctx, { ...made, name });
      return afterAdding(ctx, "passkeyAdded");
    },
    setUp,
  );
  mount(
    app,
    passkeyRemove,
    async ({ credential, oldPsw }, ctx) => {
      await requireOwnPassword(ctx, oldPsw);
      await removePasskey(ctx, credential);
      return afterRemoving(ctx, "passkeyRemoved");
    },
    own,
  );
}
