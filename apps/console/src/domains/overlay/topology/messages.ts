import { defineMessages } from "@weft/contract/kernel/message.ts";

export const topologyMessages = defineMessages({
  "topology.title": ["拓扑", "Topology"],
  "topology.search": ["节点名称", "Node name"],
  "topology.enterprise": ["所属企业", "Enterprise"],
  "topology.trouble": ["只看异常", "Problems only"],
  "topology.picture": [
    "{nodes} 个节点、{links} 条链路的图；下面的列表内容相同",
    "Diagram of {nodes|node|nodes} and {links|link|links}; the list below contains the same",
  ],
  "topology.fold": ["{count} 台 CPE", "{count|CPE|CPEs}"],
  "topology.failed": ["{count} 异常", "{count} failed"],
  "topology.up": ["正常", "Up"],
  "topology.poor": ["质量差", "Poor quality"],
  "topology.some": ["部分中断", "Some down"],
  "topology.down": ["中断", "Down"],
  "topology.closed": ["已停用", "Disabled"],
  "topology.links": ["链路", "Links"],
  "topology.linksOf": ["{name} 的链路", "Links of {name}"],
  "topology.all": ["显示全部", "Show all"],
  "topology.more": ["在链路管理中查看全部 {count} 条", "All {count} in link management"],
  "topology.empty": [
    "还没有 CPE 或 POP。新增后在这里看到它们和它们之间的链路",
    "No CPEs or POPs yet. They and the links between them are shown here",
  ],
  "topology.good": ["没有异常的链路和节点", "All links and nodes are healthy"],
  "topology.noMatch": ["没有符合条件的节点", "No node matches"],
  "topology.noLinks": ["没有链路", "No links"],
  "topology.details": ["详情", "Details"],
});
