import { defineMessages } from "@weft/contract/kernel/message.ts";

/** Everything that acts on one node. */
export const effectiveMessages = defineMessages({
  "effective.title": ["生效策略", "Effective policy"],
  "effective.help": [
    "按匹配顺序列出作用于此设备的全部规则及来源，与下发的配置由同一合并得出。",
    "Every rule on this device in the order in which it is tried, and where it is from: the same merge as its configuration.",
  ],
  "effective.follows": [
    "跟随模板“{name}”版本 {version}",
    "Follows template “{name}”, version {version}",
  ],
  "effective.above": ["上级企业的模板", "a template of an enterprise above"],
  "effective.noTemplate": ["不跟随模板", "Follows no template"],
  "effective.unconfirmed": ["最新配置尚未确认", "The newest configuration is not confirmed yet"],
  "effective.none": ["没有策略作用于此设备", "No policy acts on this device"],
  "effective.place": ["顺序", "Order"],
  "effective.name": ["名称", "Name"],
  "effective.origin": ["来源", "From"],
  "effective.origin.system": ["系统", "System"],
  "effective.origin.enterprise": ["企业", "Enterprise"],
  "effective.origin.node": ["设备", "Node"],
  "effective.origin.template": ["模板“{name}” v{version}", "Template “{name}” v{version}"],
  "effective.match": ["内容", "Settings"],
  "effective.default": ["未命中任何规则：ACL 放行", "No rule matches: the ACL permits it"],
  "effective.cut": ["共 {count} 条，显示前 {shown} 条", "The first {shown} of {count}"],
  "effective.pair": ["{field}：{value}", "{field}: {value}"],
});
