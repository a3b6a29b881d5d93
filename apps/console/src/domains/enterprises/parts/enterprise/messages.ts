import { defineMessages } from "@weft/contract/kernel/message.ts";

export const enterpriseHealthMessages = defineMessages({
  "group.back": ["返回企业管理", "Back to enterprises"],
  "group.own": ["本企业", "Our company"],
  "group.tabs": ["{name} 的页面", "Pages of {name}"],
  "group.evidence": ["查看 {name}", "Show {name}"],
  "group.tab.overview": ["概览", "Overview"],
  "group.tab.sites": ["站点", "Sites"],
  "group.tab.customers": ["下级企业", "Customers"],
  "group.tab.spaces": ["网络空间", "Network spaces"],
  "group.tab.traffic": ["流量", "Traffic"],
  "group.tab.accounts": ["终端账号", "Terminal accounts"],
  "group.tab.changes": ["变更", "Changes"],
  "group.label.bad": ["异常", "Failed"],
  "group.label.warn": ["需关注", "Needs attention"],
  "group.label.expired": ["已到期", "Expired"],
  "group.label.disabled": ["已停用", "Disabled"],
  "group.label.empty": ["没有站点", "No sites"],
  "group.label.idle": ["未投入使用", "Not in service"],
  "group.label.well": ["正常", "Healthy"],
  "group.edit": ["编辑", "Edit"],
  "group.more": ["企业资料", "Record"],
  "group.notFound": [
    "企业不存在，或不在您的数据范围内",
    "There is no such enterprise, or you do not have access to it",
  ],
  "group.because.bad": [
    "{of} 个站点中 {count} 个异常，最严重：{name} {state}",
    "{count} of {of|site|sites} failed; the worst is {name}: {state}",
  ],
  "group.because.warn": [
    "{of} 个站点中 {count} 个需关注，最严重：{name} {state}",
    "Attention needed at {count} of {of|site|sites}; the worst is {name}: {state}",
  ],
  "group.because.expired": [
    "服务期限已过，{of} 个站点没有异常",
    "The term of service is over; none of its {of|site|sites} failed",
  ],
  "group.because.disabled": [
    "企业已停用，其用户不能登录",
    "The enterprise is disabled: its users cannot log in",
  ],
  "group.because.empty": [
    "还没有站点。新增 CPE 后，在这里看到它的状态",
    "No sites yet. Add a CPE to see its state here",
  ],
  "group.because.idle": [
    "{of} 个站点都未投入使用：{state}",
    "None of its {of|site|sites} is in service: {state}",
  ],
  "group.because.well": ["{of} 个站点全部正常", "All of its {of|site|sites} are healthy"],
  "group.because.wellOf": [
    "{of} 个站点中 {count} 个正常，其余未投入使用",
    "{count} of {of|site|sites} healthy, the others are not in service",
  ],
});
