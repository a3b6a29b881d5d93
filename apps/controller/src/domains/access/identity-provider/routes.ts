import {
  identityProvider,
  identityProviderCheck,
  identityProviderLink,
  identityProviderLinks,
  oidcFinish,
  oidcStart,
} from "@weft/contract/domains/access/identity-provider.ts";
import type { FastifyInstance } from "fastify";
import type { HandlerContext } from "#kernel/api.ts";
import { mount, mountInSteps, mountOpen, requirePerson } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { check } from "./client.ts";
import { linksOf, linkUser } from "./links.ts";
import { finishSignIn, openProvider, startSignIn } from "./sign-in.ts";
import { providerStore, storedProvider } from "./store.ts";

const personOnly = "people decide who logs in";

/** Identity providers, the accounts that are linked to them, and logins by them. */
export function identityProviderRoutes(app: FastifyInstance): void {
  const api = app.weft;
  mountResource(app, identityProvider, providerStore(api.vault), {
    beforeWrite: async ({ caller }: HandlerContext) => requirePerson(caller),
    beforeRemove: async ({ caller }: HandlerContext) => requirePerson(caller),
  });
  mountInSteps(
    app,
    identityProviderCheck,
    async ({ id }, ctx) => ({ row: await storedProvider(ctx, id), host: ctx.caller.host }),
    // After the transaction: none waits for a provider.
    async ({ row, host }) => ({
      ...(await check(openProvider(api, row), api.site.identityNetworks)),
      redirectUri: `https://${host}/login`,
    }),
    { unaudited: "it reads at the provider and writes nothing", personOnly },
  );
  mount(app, identityProviderLinks, ({ id }, ctx) => linksOf(ctx, id));
  mount(
    app,
    identityProviderLink,
    async (input, ctx) => {
      const { enterpriseId, ...values } = await linkUser(ctx, input);
      const { name: resource } = identityProvider;
      await ctx.audit({ resource, rowId: input.id, enterpriseId, ...values });
      return null;
    },
    { personOnly },
  );
  mountOpen(app, oidcStart, (input, facts) => startSignIn(api, input, facts));
  mountOpen(app, oidcFinish, (input, facts) => finishSignIn(api, input, facts));
}
