import { defineMessages } from "@weft/contract/kernel/message.ts";
import { useTexts } from "#client/texts.ts";
import { nodeMessages } from "#domains/devices/parts/node/messages.ts";
import { healthMessages } from "#parts/health/messages.ts";

export const linkMessages = defineMessages({
  "links.title": ["链路管理", "Link management"],
  "links.monitor": ["链路监控", "Link monitor"],
  "links.grade": ["质量", "Quality"],
  "links.grade.good": ["良好", "Good"],
  "links.grade.fair": ["一般", "Fair"],
  "links.grade.poor": ["差", "Poor"],
  "links.grade.none": ["无数据", "No data"],
  "links.gradeHelp": [
    "五分钟均值：一般为超过语音等实时业务的限值（丢包 1%、往返时延 300 ms、抖动 30 ms，企业可另设），差为交易类业务也不适用（丢包 2%、往返时延 800 ms、抖动 100 ms）",
    "Means of five minutes. Fair: over the limits of real-time traffic (loss 1 %, round trip 300 ms, jitter 30 ms, unless the enterprise sets others). Poor: unfit for transactions too (loss 2 %, round trip 800 ms, jitter 100 ms)",
  ],
  "links.trouble": ["质量", "Quality"],
  "links.trouble.true": ["异常", "Down or poor"],
  "links.trouble.false": ["正常", "Fine"],
  "links.isp": ["运营商", "Carrier"],
  "links.search": ["节点名称", "Node name"],
  "links.space": ["网络空间", "Network space"],
  "links.state": ["链路状态", "Link state"],
  "links.node": ["节点", "Node"],
  "links.report": ["报表", "Report"],
  "links.empty": [
    "还没有链路。把 POP 和 CPE 加入同一个网络空间后自动建立",
    "No links yet. They come up automatically once a POP and a CPE are in one network space",
  ],
  "links.add": ["新增链路", "Add link"],
  "links.edit": ["编辑链路 {name}", "Edit link {name}"],
  "links.endHelp": ["空间内的 CPE 或 POP", "A CPE or POP of the space"],
  "links.enable": ["启用链路", "Link enabled"],
  "links.enableHelp": [
    "停用后这两条 WAN 链路之间不再有隧道，其他链路照常",
    "If disabled, there is no tunnel between these two WAN links; other links are not affected",
  ],
  "links.preferenceHelp": [
    "1–1000，大者优先；留空按 WAN 序号",
    "1 to 1000, the higher one is preferred; empty: by the slot of the WAN link",
  ],
  "links.preference": ["优先级", "Preference"],
  "links.bySlot": ["按 WAN 序号", "By the WAN link's slot"],
  "links.origin": ["来源", "Origin"],
  "links.origin.made": ["手动", "Manual"],
  "links.origin.auto": ["自动", "Auto"],
  "links.reset": ["恢复自动", "Reset"],
  "links.automatic": ["没有手动设置可恢复", "No manual settings"],
  "links.removeTitle": ["删除链路 {name}？", "Delete link {name}?"],
  "links.removeBody": [
    "两端随即收到新配置，经过它的业务改走其他链路。",
    "Both devices get a new configuration; its traffic takes other links.",
  ],
  "links.resetTitle": ["恢复链路 {name} 的自动设置？", "Reset link {name}?"],
  "links.resetBody": [
    "停用、优先级和备注一并取消，链路由网络空间决定。",
    "The manual setting is deleted; the network space decides on the link again.",
  ],
  "links.toSpaces": ["去网络空间", "Go to network spaces"],
});

export const useLinkTexts = () => useTexts(linkMessages, nodeMessages, healthMessages);
export type LinkTexts = ReturnType<typeof useLinkTexts>;
