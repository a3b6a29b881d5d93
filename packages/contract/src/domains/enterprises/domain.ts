/** Resources and calls of this domain, for the lists of all. */

import { branch } from "./branch.ts";
import * as brand from "./brand.ts";
import { companyAudit } from "./company-audit.ts";
import { configItem } from "./config-item.ts";
import * as enterprise from "./enterprise.ts";
import * as cascader from "./enterprise-cascader.ts";
import * as money from "./money.ts";
import * as paramConfig from "./param-config.ts";

export const resources = {
  enterprise: enterprise.enterprise,
  branch,
  comAudit: companyAudit,
  configItem,
} as const;

export const calls: readonly object[] = [enterprise, brand, cascader, money, paramConfig];
