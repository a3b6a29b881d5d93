/** Resources and calls of enterprises, their money and what they own. */
import * as applications from "#contract/calls/applications.ts";
import * as brand from "#contract/calls/brand.ts";
import * as cascader from "#contract/calls/enterprise-cascader.ts";
import * as report from "#contract/calls/enterprise-report.ts";
import * as money from "#contract/calls/money.ts";
import * as paramConfig from "#contract/calls/param-config.ts";
import * as savedColumns from "#contract/calls/saved-columns.ts";
import * as workplace from "#contract/calls/workplace.ts";
import { branch } from "#resources/branch.ts";
import { companyAudit } from "#resources/company-audit.ts";
import { configItem } from "#resources/config-item.ts";
import * as groups from "#resources/enterprise-groups.ts";
import * as popStrategy from "#resources/pop-strategy.ts";

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
