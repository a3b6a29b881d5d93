import type { Message } from "@weft/contract/kernel/message.ts";

const policies: Message = ["自有策略", "its own policies"];
const others: Message = ["其他对象", "other objects"];

/**
 * What tables that keep a node in its enterprise hold (weft.tables_in_the_way, weft.choices_in_the_way), or an enterprise below
 * those above it (weft.leave_branch), as people call it.
 */
const held: Readonly<Record<string, Message>> = {
  line: ["WAN 链路", "WAN links"],
  lan_section: ["LAN 网段", "LAN sections"],
  dhcp_reservation: ["DHCP 地址保留", "DHCP reservations"],
  static_route: ["静态路由", "static routes"],
  route_notice: ["路由通告", "route notices"],
  space_member: ["网络空间", "network spaces"],
  segment_route: ["网段路由", "segment routes"],
  router_template_node: ["路由模板", "router templates"],
  node_identity: ["接入设备", "its device"],
  claim: ["未使用的激活码", "its unused activation code"],
  node: ["下级站点", "its subordinate sites"],
  acl_rule: ["ACL 规则", "ACL rules"],
  dns_entry: ["DNS 条目", "DNS entries"],
  alarm_strategy_node: ["告警策略", "alarm policies"],
  alarm_window_node: ["维护窗口", "maintenance windows"],
  blacklist_node: ["黑名单", "blacklist entries"],
  branch_node: ["分支", "branches"],
  cug_node: ["CUG", "CUGs"],
  dial_task_node: ["拨测任务", "dial tasks"],
  firmware_task_node: ["固件任务", "firmware tasks"],
  alarm_strategy_pop: ["告警策略", "alarm policies"],
  alarm_window_pop: ["维护窗口", "maintenance windows"],
  circuit: ["专线", "circuits"],
  client_service: ["移动终端配置", "mobile terminal configurations"],
  enterprise_param: ["POP 策略", "POP strategies"],
  enterprise_strategy: ["POP 策略", "POP strategies"],
  mobile_account: ["移动账号", "mobile accounts"],
  pop_group_node: ["POP 分组", "POP groups"],
  pop_strategy_node: ["POP 策略", "POP strategies"],
  role_enterprise: ["角色的数据范围", "data scopes of roles"],
  router_template_target: ["路由模板", "router templates"],
  saas_group: ["加速组", "acceleration groups"],
  segment_route_node: ["网段路由", "segment routes"],
  vbr_node: ["跨云节点", "cross-cloud nodes"],
};

const nameOf = (table: string): Message =>
  held[table] ?? (table.startsWith("router_") ? policies : others);

/** What these tables hold, each kind once. */
export function holderNames(tables: readonly string[]): Message {
  const names = [...new Map(tables.map((table) => [nameOf(table)[1], nameOf(table)])).values()];
  return [
    names.map(([chinese]) => chinese).join("、"),
    names.map(([, english]) => english).join(", "),
  ];
}
