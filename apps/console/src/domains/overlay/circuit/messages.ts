import { defineMessages } from "@weft/contract/kernel/message.ts";

export const circuitMessages = defineMessages({
  "circuit.title": ["线路管理", "Circuit management"],
  "circuit.add": ["新增专线", "Add circuit"],
  "circuit.edit": ["编辑专线 {name}", "Edit circuit {name}"],
  "circuit.empty": [
    "还没有专线。新增后为企业登记两个节点之间的带宽，报表随即可看",
    "No circuits yet. A circuit records the bandwidth of an enterprise between two nodes, and has a report",
  ],
  "circuit.state": ["专线状态", "Circuit state"],
  "circuit.ends": ["两端", "Ends"],
  "circuit.bandwidth": ["带宽 Mbit/s", "Mbit/s"],
  "circuit.guaranteed": ["保证 Mbit/s", "Guaranteed Mbit/s"],
  "circuit.bandwidthHelp": [
    "不超过两端 WAN 链路的带宽之和",
    "At most the total bandwidth of the WAN links of either end",
  ],
  "circuit.qualityHelp": [
    "启用业务等级后，实时业务优先走专线两端之间的直连链路，直到其质量超出限值",
    "With traffic classes, real-time traffic takes direct links between the ends of a special line first, until they exceed its limits",
  ],
  "circuit.guaranteedHelp": ["留空：不保证", "Empty: not guaranteed"],
  "circuit.endHelp": [
    "企业的 CPE，或为它服务的 POP",
    "A CPE of the enterprise, or a POP that serves it",
  ],
  "circuit.links": ["直连链路", "Direct links"],
  "circuit.noLinks": [
    "两端之间没有直连链路，报表没有数据",
    "There is no direct link between the two ends, so the report has no metrics",
  ],
  "circuit.noEnd": ["长期有效", "No end"],
  "circuit.report": ["报表", "Report"],
  "circuit.reportAll": ["全部线路报表", "All circuits report"],
  "circuit.reportEnterprise": ["企业线路报表", "Enterprise circuits report"],
  "circuit.reportOf": ["专线报表 {name}", "Circuit report {name}"],
  "circuit.back": ["返回线路管理", "Back to circuits"],
  "circuit.choose": ["选择专线", "Choose a circuit"],
  "circuit.chooseEnterprise": ["选择企业", "Choose an enterprise"],
  "circuit.removeTitle": ["删除专线 {name}？", "Delete circuit {name}?"],
  "circuit.removeBody": [
    "链路和业务不受影响，专线及其报表不再显示。",
    "Links and traffic do not change; the circuit and its report are no longer shown.",
  ],
  "circuit.traffic": ["流量", "Traffic"],
  "circuit.bytes": ["每时段流量", "Volume per step"],
  "circuit.in": ["入", "In"],
  "circuit.out": ["出", "Out"],
  "circuit.delay": ["时延", "Latency"],
  "circuit.loss": ["丢包率", "Loss"],
});
