/** Types of the tables of policy objects (migrations/*-policy.sql). */
import type { ColumnType, GeneratedAlways } from "kysely";

type Stamp = ColumnType<Date, Date | undefined, Date>;

interface Held {
  id: GeneratedAlways<number>;
  enterprise_id: number;
  created_by: number | null;
  created_at: Stamp;
  updated_at: Stamp;
}

/** What every table of a family has; its own columns follow from the family's fields. */
export interface PolicyTable extends Held {
  template_id: number | null;
  node_id: number | null;
  /** The template's id, or the node's below zero. */
  owner: GeneratedAlways<number>;
}

/** Family -> its table. */
export const policyTables = {
  routerInterface: "router_interface",
  routerInterfaceline: "router_interface_line",
  routerTimenode: "router_time_node",
  routerIpgroup: "router_ip_group",
  routerIpgroupdefine: "router_ip_entry",
  routerDnsgroup: "router_dns_group",
  routerDomains: "router_domain",
  routerUrlgroup: "router_url_group",
  routerUrl: "router_url",
  routerProtocolex: "router_protocol",
  routerRuleCustom: "router_rule_custom",
  routerAppgroup: "router_app_group",
  routerDnscontrol: "router_dns_control",
  routerUrlrule: "router_url_rule",
  routerPolicyroute: "router_policy_route",
  routerBandwidthpipe: "router_bandwidth_pipe",
  routerBwpolicy: "router_bw_policy",
  routerConnlimit: "router_connlimit",
  routerBgp: "router_bgp",
  routerOspf: "router_ospf",
  routerPortmapping: "router_port_mapping",
} as const;
export type PolicyTableName = (typeof policyTables)[keyof typeof policyTables];

export type PolicyTables = {
  [Name in PolicyTableName]: PolicyTable;
};
