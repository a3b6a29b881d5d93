import { defineMessages } from "@weft/contract/kernel/message.ts";

/** What a device is in its standby group: in lists, in its settings and on its page. */
export const standbyMessages = defineMessages({
  "site.standby": ["热备", "Hot standby"],
  "standby.state": ["热备状态", "Standby state"],
  "standby.since": ["热备状态开始于", "Standby state since"],
  "standby.state.active": ["主用", "Active"],
  "standby.state.standby": ["备用", "Standby"],
  "standby.state.fault": ["无法接管", "Cannot take over"],
  "standby.state.alone": ["主用，无备机", "Active, no standby"],
  "standby.state.unknown": ["未上报", "Not reported"],
  "standby.state.none": ["未参加", "In no group"],
});
