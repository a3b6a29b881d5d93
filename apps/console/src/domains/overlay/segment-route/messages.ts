import { defineMessages } from "@weft/contract/kernel/message.ts";

export const segmentMessages = defineMessages({
  "segment.title": ["分段路由", "Underlay segment route"],
  "segment.add": ["新增分段路由", "Add segment route"],
  "segment.editOf": ["编辑分段路由 {name}", "Edit segment route {name}"],
  "segment.back": ["返回分段路由", "Back to segment routes"],
  "segment.pick": ["先在分段路由列表中选择一条", "Choose a segment route in the list first"],
  "segment.empty": [
    "还没有分段路由。选择流量去往的网段，以及沿途依次经过的 POP",
    "No segment routes yet. Choose a network, and the POPs that traffic to it crosses in order",
  ],
  "segment.search": ["名称", "Name"],
  "segment.from": ["起点 CPE", "From CPE"],
  "segment.any": ["企业的全部 CPE", "Every CPE of the enterprise"],
  "segment.hops": ["途经 POP", "POPs in order"],
  "segment.hopsHelp": [
    "按选择的先后依次经过，最多 8 个",
    "Crossed in the order in which they are selected, 8 at most",
  ],
  "segment.metricHelp": [
    "到同一网段有多条时，小的优先",
    "If several lead to one network, the lowest one is preferred",
  ],
  "segment.way": ["路径", "Path"],
  "segment.removeBody": [
    "去往该网段的流量不再要求经过这些 POP。",
    "Traffic to the network no longer has to cross these POPs.",
  ],
});
