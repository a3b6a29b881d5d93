import { defineMessages } from "@weft/contract/kernel/message.ts";

/** Sections of policy objects, in templates and on nodes. */
export const policyMessages = defineMessages({
  "policy.add": ["新增{what}", "Add {what}"],
  "policy.import": ["导入", "Import"],
  "policy.importOf": ["导入{what}", "Import {what}"],
  "policy.edit": ["编辑{what}“{name}”", "Edit {what} “{name}”"],
  "policy.removeTitle": ["删除{what}“{name}”？", "Remove {what} “{name}”?"],
  "policy.removeBody": [
    "仍被规则引用的对象不能删除；组内条目随组一起删除。",
    "What a rule still names cannot be removed; entries go with their group.",
  ],
  "policy.group.match": ["匹配条件", "Match"],
  "policy.group.path": ["出口与转发", "Way out"],
  "policy.group.action": ["动作", "Action"],
  "policy.group.address": ["接入方式与地址", "Access and address"],
  "policy.group.dhcp": ["DHCP 地址池", "DHCP pool"],
  "policy.group.layer2": ["VLAN 与 MTU", "VLAN and MTU"],
  "policy.group.quality": ["带宽与质量", "Bandwidth and quality"],
  "policy.group.standby": ["热备", "Hot standby"],
  "policy.group.catalogue": ["应用归属", "Place in the catalogue"],
  "policy.group.timers": ["定时器", "Timers"],
  "policy.secretKept": ["已设置；留空则保持不变", "Set; left empty it stays"],
  "policy.dnsControl": ["DNS 控制", "DNS control"],
  "policy.kind.wan": ["WAN", "WAN"],
  "policy.kind.lan": ["LAN", "LAN"],
  "policy.kind.node": ["节点", "nodes"],
  "policy.kind.domain": ["域名", "domains"],
  "policy.empty": ["还没有{what}，先新增一个", "No {what} yet; add the first"],
});
