import type { Message } from "@weft/contract/kernel/message.ts";
import { sql } from "kysely";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";

const policies: Message = ["自有策略", "its own policies"];
const others: Message = ["其他对象", "other objects"];

/** What tables that keep a node in its enterprise hold (weft.tables_in_the_way, weft.choices_in_the_way), as people call it. */
const held: Readonly<Record<string, Message>> = {
  line: ["WAN 链路", "WAN links"],
  lan_section: ["LAN 网段", "LAN sections"],
  static_route: ["静态路由", "static routes"],
  route_notice: ["路由通告", "route notices"],
  space_member: ["网络空间", "network spaces"],
  segment_route: ["网段路由", "segment routes"],
  router_template_node: ["路由模板", "its router template"],
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
};

const nameOf = (table: string): Message =>
  held[table] ?? (table.startsWith("router_") ? policies : others);

/**
 * The caller has the node's row locked "for update": nothing that refers to it is being written.
 *
 * What belongs to its enterprise keeps a node there: the refusal names all of it. A node without
 * any moves, with its cards.
 * @param to the enterprise that the node is to be of.
 */
export async function refuseMove(
  ctx: Context,
  node: { readonly id: number; readonly name: string; readonly enterprise_id: number },
  to: number,
): Promise<void> {
  if (node.enterprise_id === to) return;
  const { rows } = await sql<{ table: string }>`
    select name as table from weft.tables_in_the_way(${node.id}) name
    union all select name from weft.choices_in_the_way(${node.id}, ${to}) name`.execute(ctx.db);
  if (rows.length === 0) return;
  const names = new Set(rows.map(({ table }) => nameOf(table)));
  const what: Message = [
    [...names].map(([chinese]) => chinese).join("、"),
    [...names].map(([, english]) => english).join(", "),
  ];
  refuse("staysInEnterprise", { name: node.name, what });
}
