import type { workplace } from "@weft/contract/domains/monitoring/workplace.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import { useTexts } from "#client/texts.ts";

export const workplaceMessages = defineMessages({
  "workplace.title": ["概览", "Overview"],
  "workplace.now": ["当前问题", "Now"],
  "workplace.nowMore": [
    "共 {count} 项，显示影响最大的 {shown} 项",
    "{count} in total, the {shown} with most impact are shown",
  ],
  "workplace.nowNone": [
    "当前没有问题，站点、链路和配置都正常",
    "Nothing is wrong: sites, links and settings are healthy",
  ],
  "workplace.nowNoneOf": ["{what} 当前没有问题", "Nothing is wrong with {what}"],
  "workplace.choice": ["只看 {what}", "Only {what}"],
  "workplace.heat": ["站点链路：POP 与运营商", "Links of sites: POP by carrier"],
  "workplace.heatHelp": [
    "有问题的站点 / 全部，点击筛选",
    "Sites with trouble / all; click to filter",
  ],
  "workplace.noCarrier": ["未填写", "Not given"],
  "workplace.cell": [
    "{pop}，{isp}：{sites} 个站点，{down} 个中断，{poor} 个质量差",
    "{pop}, {isp}: {sites|site|sites}, {down} down, {poor} poor",
  ],
  "workplace.cellLoss": ["丢包率最高 {loss}%", "loss up to {loss}%"],
  "workplace.alarms": ["告警", "Alarms"],
  "workplace.alarmsNone": ["当前无告警", "No active alarms"],
  "workplace.alarmsAllWait": ["均未确认", "none acknowledged"],
  "workplace.alarmsWaiting": ["{count} 条未确认", "{count} not acknowledged"],
  "workplace.states": ["状态", "States"],
  "workplace.sites": ["站点", "Sites"],
  "workplace.pops": ["POP", "POPs"],
  "workplace.links": ["链路", "Links"],
  "workplace.spaces": ["网络空间", "Network spaces"],
  "workplace.enterprises": ["企业", "Enterprises"],
  "workplace.up": ["正常", "Up"],
  "workplace.down": ["中断", "Down"],
  "workplace.traffic": ["站点流量，24 小时", "Traffic of sites, 24 h"],
  "workplace.in": ["入", "In"],
  "workplace.out": ["出", "Out"],
  "workplace.trafficNone": [
    "还没有流量。站点开局后，每 15 秒上报一次",
    "No traffic yet. Sites report every 15 s once they are enrolled",
  ],
  "workplace.changes": ["最近 24 小时的变更", "Changes, 24 h"],
  "workplace.changesNone": ["24 小时内没有变更", "No changes in 24 hours"],
  "workplace.changesMore": ["共 {count} 项", "{count} in total"],
  "workplace.tasks": ["下发", "Deliveries"],
  "workplace.waiting": ["未开始", "Not started"],
  "workplace.pulled": ["已拉取", "Pulled"],
  "workplace.failed": ["24 小时内失败", "Failed in 24 h"],
  "workplace.rollout.running": [
    "版本 {version}：第 {wave}/{waves} 批进行中，{done}/{cpes} 台 CPE",
    "Version {version}: wave {wave} of {waves} underway, {done} of {cpes|CPE|CPEs}",
  ],
  "workplace.rollout.waiting": [
    "版本 {version}：第 {wave}/{waves} 批之后等待继续，{done}/{cpes} 台 CPE",
    "Version {version}: waits for you after wave {wave} of {waves}, {done} of {cpes|CPE|CPEs}",
  ],
  "workplace.rollout.halted": [
    "版本 {version}：在第 {wave}/{waves} 批暂停，{done}/{cpes} 台 CPE",
    "Version {version}: halted at wave {wave} of {waves}, {done} of {cpes|CPE|CPEs}",
  ],
  "workplace.customers": ["下级企业", "Customers"],
  "workplace.customersNone": [
    "还没有下级企业。新增企业后，在这里看到它们的站点和余额",
    "No customers yet. Add an enterprise to see its sites and balance here",
  ],
  "workplace.addEnterprise": ["新增企业", "Add enterprise"],
  "workplace.credit": ["余额", "Balance"],
  "workplace.ownCredit": ["本企业余额", "Own balance"],
  "workplace.usable": ["含信用额度可用 {amount}", "{amount} available with the credit limit"],
  "beginning.title": ["开始使用", "Getting started"],
  "beginning.progress": ["已完成 {done}/{all}", "{done} of {all} done"],
  "beginning.hide": ["暂时收起", "Hide for now"],
  "beginning.show": ["继续开局（{done}/{all}）", "Continue setup ({done} of {all})"],
  "beginning.state.done": ["已完成", "Done"],
  "beginning.state.next": ["下一步", "Next"],
  "beginning.state.todo": ["待完成", "To do"],
  "beginning.optional": ["可选", "optional"],
  "beginning.waiting": ["{count} 台设备等待批准", "{count|device waits|devices wait} for approval"],
  "beginning.living": [
    "站点 {name} 已连通：报文已通过隧道往返",
    "Site {name} is connected: packets pass its tunnel in both directions",
  ],
  "beginning.openSite": ["打开站点", "Open the site"],
  "beginning.close": ["关闭", "Close"],
  "beginning.pop": ["新增 POP", "Add a POP"],
  "beginning.pop.help": [
    "POP 汇聚各站点的隧道。填写名称、序列号和公网 WAN 链路",
    "Tunnels of sites end at a POP. It needs a name, a serial number and a WAN link with a public address",
  ],
  "beginning.popOnline": ["POP 上线", "Bring the POP online"],
  "beginning.popOnline.help": [
    "在 POP 页面生成开局码，在设备上执行，再到“开局审批”批准",
    "Create its activation code on its page, run it on the device, then approve the device",
  ],
  "beginning.enterprise": ["新增企业", "Add an enterprise"],
  "beginning.enterprise.help": [
    "为客户开户；也可以先把站点放在本企业",
    "For a customer; the first site may also be one of your own enterprise",
  ],
  "beginning.site": ["新增 CPE", "Add a CPE"],
  "beginning.site.help": [
    "每个站点一台 CPE，填写名称和序列号",
    "One CPE for each site, with a name and a serial number",
  ],
  "beginning.siteNetwork": ["填写 WAN 链路和 LAN", "Describe its WAN link and LAN"],
  "beginning.siteNetwork.help": [
    "站点从哪条 WAN 链路上网，主机在哪个网段",
    "By which WAN link the site reaches the internet, and in which network its hosts are",
  ],
  "beginning.siteOnline": ["CPE 上线", "Bring the CPE online"],
  "beginning.siteOnline.help": [
    "生成开局码，在设备上执行，再批准设备",
    "Create its activation code, run it on the device, then approve the device",
  ],
  "beginning.space": ["加入网络空间", "Join a network space"],
  "beginning.space.help": [
    "新建网络空间并放入 POP 和 CPE，隧道随即建立",
    "Create a network space with the POP and the CPE: tunnels are created immediately",
  ],
  "beginning.packet": ["第一个报文", "First packet"],
  "beginning.packet.help": [
    "隧道建立后，探测报文会自动往返；通常只需几秒",
    "Once the tunnel is up, probes pass it in both directions; that takes a few seconds",
  ],
});

export type Workplace = OutputOf<typeof workplace>;

export const useWorkplaceTexts = () => useTexts(workplaceMessages);
export type WorkplaceTexts = ReturnType<typeof useWorkplaceTexts>;
