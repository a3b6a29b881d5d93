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
  "segment.state": ["生效状态", "Effect"],
  "segment.state.off": ["已停用", "Disabled"],
  "segment.state.acts": ["生效", "Acts"],
  "segment.state.actsOn": ["{acting}/{sites} 个站点生效", "Acts on {acting} of {sites} sites"],
  "segment.state.withdrawn": ["已撤回", "Withdrawn"],
  "segment.state.cannot": ["不生效", "Does not act"],
  "segment.state.pending": ["待确认", "Unconfirmed"],
  "segment.ordinary": ["{reason}。流量按普通路由转发", "{reason}. Ordinary routing decides"],
  "segment.reason.noSpace": [
    "没有网络空间包含该企业的 CPE",
    "No space has this CPE, or a CPE of the enterprise",
  ],
  "segment.reason.popOutside": ["POP {pop} 不在该网络空间内", "POP {pop} is not in the space"],
  "segment.reason.tooWide": [
    "目的网段过大，空间外的流量也会被带走",
    "The destination is so wide that it includes what is not of the space",
  ],
  "segment.reason.ofLinks": [
    "目的网段属于链路内部地址",
    "The destination consists of addresses within links",
  ],
  "segment.reason.noNetwork": [
    "空间内没有站点拥有目的网段中的地址",
    "No site of the space has a network in the destination",
  ],
  "segment.reason.ownNetwork": [
    "目的网段就在起点 CPE 上",
    "The destination is at the CPE itself that traffic comes from",
  ],
  "segment.reason.tooManySources": [
    "起点 CPE 的网段超过 {max} 个",
    "The CPE that traffic comes from has more than {max} networks",
  ],
  "segment.reason.crossing": [
    "与“{other}”的路径交叉，可能形成环路",
    "Crosses the way of “{other}”, by which packets could go in circles",
  ],
  "segment.reason.tooMany": [
    "该空间的分段路由已达 {max} 条",
    "The space has {max} segment routes before this one",
  ],
  "segment.reason.noCapability": [
    "{node} 的设备不支持分段路由，或尚未上报能力",
    "The device of {node} cannot carry out segment routes, or has not reported yet",
  ],
  "segment.reason.noLink": ["{from} 与 {to} 之间没有链路", "There is no link from {from} to {to}"],
  "segment.reason.hopGone": ["{from} 到 {to} 不通", "{from} does not reach {to}"],
  "segment.reason.endGone": [
    "{from} 没有到目的网段的路由",
    "{from} has no route to the destination",
  ],
  "segment.reason.unconfirmed": [
    "{node} 尚未确认包含此路由的配置",
    "{node} has not confirmed a configuration with this route",
  ],
  "segment.reason.offline": [
    "{node} 未连接控制器，无法得知是否生效",
    "{node} is not connected, so it is not known whether the route acts",
  ],
  "segment.removeBody": [
    "去往该网段的流量不再要求经过这些 POP。",
    "Traffic to the network no longer has to cross these POPs.",
  ],
});
