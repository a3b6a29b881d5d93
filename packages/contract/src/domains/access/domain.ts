/** Resources and calls of this domain, for the lists of all. */

import type { SamplesOf } from "#contract/samples/sample.ts";
import * as apiKey from "./api-key.ts";
import * as batch from "./batch.ts";
import * as demonstration from "./demonstration.ts";
import * as factors from "./factors.ts";
import * as identityProvider from "./identity-provider.ts";
import * as login from "./login.ts";
import * as record from "./record.ts";
import * as role from "./role.ts";
import * as savedColumns from "./saved-columns.ts";
import * as session from "./session.ts";
import * as sheet from "./sheet.ts";
import * as user from "./user.ts";
import * as uses from "./uses.ts";

export const resources = {
  user: user.user,
  role: role.role,
  apiKey: apiKey.apiKey,
  identityProvider: identityProvider.identityProvider,
} as const;

export const calls: readonly object[] = [
  session,
  login,
  factors,
  demonstration,
  user,
  role,
  apiKey,
  identityProvider,
  record,
  batch,
  savedColumns,
  sheet,
  uses,
];

/** Drafts of each resource: one without does not compile. */
export const samples: SamplesOf<typeof resources> = {
  user: user.userSamples,
  role: role.roleSamples,
  apiKey: apiKey.apiKeySamples,
  identityProvider: identityProvider.identityProviderSamples,
};
