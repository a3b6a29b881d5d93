import { defineMessages } from "@weft/contract/kernel/message.ts";

export const trafficClassMessages = defineMessages({
  "sla.title": ["SLA 等级", "SLA classes"],
  "sla.enterprise": ["企业", "Enterprise"],
  "sla.enable": ["按等级选路", "Choose links by class"],
  "sla.enableHelp": [
    "每个等级的流量走满足其上限的链路，两个方向各自决定；停用后所有流量走同一条链路",
    "Traffic of each class goes by the links that keep its limits, each direction for itself. Without it all traffic goes by the same links",
  ],
  "sla.realtime": ["实时（语音、视频会议）", "Real-time (voice, video meetings)"],
  "sla.transactional": ["事务（办公、业务系统）", "Transactional (business applications)"],
  "sla.bulk": ["大流量（备份、下载）", "Bulk (backups, downloads)"],
  "sla.default": ["默认（其余流量）", "Default (all other traffic)"],
  "sla.none": ["不限", "No limit"],
  "sla.dscpHelp": [
    "带有这些 DSCP 的报文属于该等级；名称或 1 到 63 的数字，以逗号分隔。留空则没有流量属于该等级",
    "Packets with these are of the class: names or numbers from 1 to 63, separated by commas. Empty: no traffic is of the class",
  ],
  "sla.acts": ["{devices} 台设备都按等级选路", "All {devices} devices choose links by class"],
  "sla.noDevices": [
    "企业的网络空间里还没有设备",
    "The network spaces of the enterprise have no devices yet",
  ],
  "sla.lacking": [
    "以下设备不按等级选路：其所有流量走同一条链路",
    "These devices do not choose links by class: all their traffic goes by the same links",
  ],
  "sla.lack.unreported": ["设备尚未上报能力", "It has not reported what it can do"],
  "sla.lack.edge": ["设备程序版本过旧", "The version of its edge is too old"],
  "sla.lack.kernel": ["设备系统不支持：{detail}", "Its system cannot: {detail}"],
});
