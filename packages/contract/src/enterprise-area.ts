/** Resources and calls of enterprises, their money and what they own. */

import * as savedColumns from "#domains/access/saved-columns.ts";
import { branch } from "#domains/enterprises/branch.ts";
import * as brand from "#domains/enterprises/brand.ts";
import { companyAudit } from "#domains/enterprises/company-audit.ts";
import { configItem } from "#domains/enterprises/config-item.ts";
import * as cascader from "#domains/enterprises/enterprise-cascader.ts";
import * as money from "#domains/enterprises/money.ts";
import * as paramConfig from "#domains/enterprises/param-config.ts";
import * as report from "#domains/monitoring/enterprise-report.ts";
import * as workplace from "#domains/monitoring/workplace.ts";
import * as popStrategy from "#domains/overlay/pop-strategy.ts";
import * as applications from "#domains/policies/applications.ts";
import * as groups from "#domains/policies/enterprise-groups.ts";

export const enterpriseResources = {
  popStrategy: popStrategy.popStrategy,
  popGroup: popStrategy.popGroup,
  branch,
  comAudit: companyAudit,
  configItem,
  ipgroup: groups.ipgroup,
  urlgroup: groups.urlgroup,
} as const;

export const enterpriseCalls = [
  applications,
  brand,
  cascader,
  report,
  money,
  paramConfig,
  savedColumns,
  workplace,
  groups,
  popStrategy,
] as const;
