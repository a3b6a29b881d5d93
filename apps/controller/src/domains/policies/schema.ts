/** Types of the tables of policies (migrations/*-policies.sql). */
import type { AclProtocol } from "@weft/contract/domains/devices/settings-enums.ts";
import type { DestinationKind } from "@weft/contract/domains/policies/destination-enums.ts";
import type {
  PolicyEffect,
  PolicyFindingLevel,
} from "@weft/contract/domains/policies/policy-finding.ts";
import type { Generated, GeneratedAlways } from "kysely";
import type {
  Changing,
  DefaultedJson,
  Members,
  Owned,
  Row,
  Stamp,
  Versioned,
} from "#db/columns.ts";

/** What every table of a family has; its own columns follow from the family's fields. */
interface PolicyTable extends Row, Changing, Versioned {
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
/** Rows of families by the name of their table, columns by theirs: how a version of a template keeps them. */
export type StoredPolicy = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
export type PolicyTableName = (typeof policyTables)[keyof typeof policyTables];

interface AclRuleTable extends Owned, Versioned {
  node_id: number;
  enabled: boolean;
  section: number;
  sort: number;
  name: string;
  action: number;
  protocol: AclProtocol;
  src_ip: string | null;
  dst_ip: string | null;
  src_port: string | null;
  dst_port: string | null;
}

interface BlacklistTable extends Owned, Versioned {
  type: string;
  value: string;
  enabled: boolean;
}

interface IpGroupTable extends Owned, Versioned {
  name: string;
  share: boolean;
  members: string[];
}

interface UrlGroupTable extends Owned, Versioned {
  name: string;
  members: string[];
}

interface SaasGroupTable extends Owned, Versioned {
  kind: DestinationKind;
  name: string;
  members: string[];
  pop_id: number | null;
  enabled: boolean;
}

interface XwanSpeedTable extends Owned, Versioned {
  name: string;
  type: number;
  enabled: boolean;
}

interface XwanSpeedDefineTable extends Owned, Versioned {
  speed_id: number;
  kind: DestinationKind;
  value: string;
}

/** Written with each compile; an object without a row is applied as configured. */
interface PolicyFindingTable {
  node_id: number;
  enterprise_id: number;
  family: string;
  level: PolicyFindingLevel;
  object_id: number;
  name: string;
  effect: PolicyEffect;
  reason: string;
  params: DefaultedJson<Record<string, string>>;
  denies: Generated<boolean>;
  unsupported: GeneratedAlways<boolean>;
  template_id: number | null;
  template_version: number | null;
  created_at: Stamp;
}

export interface PoliciesTables extends Readonly<Record<PolicyTableName, PolicyTable>> {
  policy_finding: PolicyFindingTable;
  acl_rule: AclRuleTable;
  blacklist: BlacklistTable;
  blacklist_node: Members;
  enterprise_ipgroup: IpGroupTable;
  enterprise_urlgroup: UrlGroupTable;
  saas_group: SaasGroupTable;
  xwan_speed: XwanSpeedTable;
  xwan_speed_define: XwanSpeedDefineTable;
}
