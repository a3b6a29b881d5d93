/** Resources and calls of CPEs and POPs, for the list of all. */
import * as cpeActions from "#contract/calls/cpe-actions.ts";
import * as cpeConfig from "#contract/calls/cpe-config.ts";
import * as cpeStandby from "#contract/calls/cpe-standby.ts";
import * as relay from "#contract/calls/relay.ts";
import * as topology from "#contract/calls/topology.ts";
import * as aclRule from "#resources/acl-rule.ts";
import * as blacklist from "#resources/blacklist.ts";
import * as cpeArea from "#resources/cpe-area.ts";
import * as dialTask from "#resources/dial-task.ts";
import * as dnsEntry from "#resources/dns-entry.ts";
import * as firmwareTask from "#resources/firmware-task.ts";

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
