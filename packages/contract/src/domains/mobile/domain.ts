/** Resources and calls of this domain, for the lists of all. */

import * as clientConfig from "./client-config.ts";
import * as mobileAccount from "./mobile-account.ts";

export const resources = {
  account: mobileAccount.mobileAccount,
} as const;

export const calls: readonly object[] = [mobileAccount, clientConfig];
