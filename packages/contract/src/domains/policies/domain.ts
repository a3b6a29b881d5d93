/** Resources and calls of this domain, for the lists of all. */

import * as aclRule from "./acl-rule.ts";
import * as applications from "./applications.ts";
import * as blacklist from "./blacklist.ts";
import * as groups from "./enterprise-groups.ts";
import * as policy from "./policy.ts";
import { saasGroups } from "./saas-group.ts";
import * as xwanSpeed from "./xwan-speed.ts";

export const resources = {
  "saasGroup.domain": saasGroups.domain,
  "saasGroup.dpi": saasGroups.dpi,
  "saasGroup.ip": saasGroups.ip,
  "saasGroup.app": saasGroups.app,
  xwanSpeed: xwanSpeed.xwanSpeed,
  xwanSpeedDefine: xwanSpeed.xwanSpeedDefine,
  ipgroup: groups.ipgroup,
  urlgroup: groups.urlgroup,
  xaclrules: aclRule.aclRule,
  blacklist: blacklist.blacklist,
} as const;

export const calls: readonly object[] = [policy, xwanSpeed, applications, groups, aclRule];
