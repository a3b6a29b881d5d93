/** Resources and calls of this domain, for the lists of all. */

import type { SamplesOf } from "#contract/samples/sample.ts";
import * as brand from "./brand.ts";
import { companyAudit, companyAuditSamples } from "./company-audit.ts";
import { configItem, configItemSamples } from "./config-item.ts";
import * as enterprise from "./enterprise.ts";
import * as cascader from "./enterprise-cascader.ts";
import * as ledger from "./ledger.ts";
import * as paramConfig from "./param-config.ts";

export const resources = {
  enterprise: enterprise.enterprise,
  comAudit: companyAudit,
  configItem,
} as const;

export const calls: readonly object[] = [enterprise, brand, cascader, ledger, paramConfig];

/** Drafts of each resource: one without does not compile. */
export const samples: SamplesOf<typeof resources> = {
  enterprise: enterprise.enterpriseSamples,
  comAudit: companyAuditSamples,
  configItem: configItemSamples,
};
