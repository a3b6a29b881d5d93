/** Resources and calls of this domain, for the lists of all. */

import type { SamplesOf } from "#contract/samples/sample.ts";
import * as clientConfig from "./client-config.ts";
import * as mobileAccount from "./mobile-account.ts";

export const resources = {
  account: mobileAccount.mobileAccount,
} as const;

export const calls: readonly object[] = [mobileAccount, clientConfig];

/** Drafts of each resource: one without does not compile. */
export const samples: SamplesOf<typeof resources> = {
  account: mobileAccount.mobileAccountSamples,
};
