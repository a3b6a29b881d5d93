/** Resources and calls of this domain, for the lists of all. */

import type { SamplesOf } from "#contract/samples/sample.ts";
import * as aclRule from "./acl-rule.ts";
import * as applications from "./applications.ts";
import * as blacklist from "./blacklist.ts";
import * as ipGroup from "./enterprise-ip-group.ts";
import * as urlGroup from "./enterprise-url-group.ts";
import * as policy from "./policy.ts";
import * as policyFinding from "./policy-finding.ts";
import * as policyHits from "./policy-hits.ts";
import { saasGroupSamples, saasGroups } from "./saas-group.ts";
import * as xwanSpeed from "./xwan-speed.ts";

export const resources = {
  "saasGroup.domain": saasGroups.domain,
  "saasGroup.dpi": saasGroups.dpi,
  "saasGroup.ip": saasGroups.ip,
  "saasGroup.app": saasGroups.app,
  xwanSpeed: xwanSpeed.xwanSpeed,
  xwanSpeedDefine: xwanSpeed.xwanSpeedDefine,
  ipgroup: ipGroup.ipgroup,
  urlgroup: urlGroup.urlgroup,
  xaclrules: aclRule.aclRule,
  blacklist: blacklist.blacklist,
} as const;

export const calls: readonly object[] = [
  policy,
  policyFinding,
  policyHits,
  xwanSpeed,
  applications,
  ipGroup,
  urlGroup,
  aclRule,
];

/** Drafts of each resource: one without does not compile. */
export const samples: SamplesOf<typeof resources> = {
  "saasGroup.domain": saasGroupSamples.domain,
  "saasGroup.dpi": saasGroupSamples.dpi,
  "saasGroup.ip": saasGroupSamples.ip,
  "saasGroup.app": saasGroupSamples.app,
  xwanSpeed: xwanSpeed.xwanSpeedSamples,
  xwanSpeedDefine: xwanSpeed.xwanSpeedDefineSamples,
  ipgroup: ipGroup.ipgroupSamples,
  urlgroup: urlGroup.urlgroupSamples,
  xaclrules: aclRule.aclRuleSamples,
  blacklist: blacklist.blacklistSamples,
};
