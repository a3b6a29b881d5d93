/** Resources and calls of CPEs and POPs, for the list of all. */
import * as cpeActions from "#domains/devices/cpe-actions.ts";
import * as cpeArea from "#domains/devices/cpe-area.ts";
import * as cpeConfig from "#domains/devices/cpe-config.ts";
import * as cpeStandby from "#domains/devices/cpe-standby.ts";
import * as dialTask from "#domains/devices/dial-task.ts";
import * as dnsEntry from "#domains/devices/dns-entry.ts";
import * as firmwareTask from "#domains/devices/firmware-task.ts";
import * as relay from "#domains/devices/relay.ts";
import * as topology from "#domains/overlay/topology.ts";
import * as aclRule from "#domains/policies/acl-rule.ts";
import * as blacklist from "#domains/policies/blacklist.ts";

export const siteResources = {
  dnsmasq: dnsEntry.dnsEntry,
  xaclrules: aclRule.aclRule,
  dialTask: dialTask.dialTask,
  blacklist: blacklist.blacklist,
  firmwareTask: firmwareTask.firmwareTask,
} as const;

export const siteModules: readonly object[] = [
  cpeActions,
  cpeStandby,
  cpeConfig,
  relay,
  topology,
  dnsEntry,
  aclRule,
  cpeArea,
  dialTask,
  firmwareTask,
];
