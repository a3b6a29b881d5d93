import { defineMessages } from "@weft/contract/kernel/message.ts";

export const causeMessages = defineMessages({
  "cause.contact": [
    "{count} 台设备同时失去联系，先检查控制器及其网络",
    "{count|device|devices} lost contact at the same time; check the controller and its network first",
  ],
  "cause.pop.bad": [
    "POP {pop}：多个运营商到它的链路中断",
    "POP {pop}: links over several carriers are down",
  ],
  "cause.pop.warn": [
    "POP {pop}：多个运营商到它的链路质量差",
    "POP {pop}: links over several carriers are poor",
  ],
  "cause.popState": ["POP {pop}：{state}", "POP {pop}: {state}"],
  "cause.carrier.bad": ["{isp}：多个站点的链路中断", "{isp}: links of several sites are down"],
  "cause.carrier.warn": ["{isp}：多个站点的链路质量差", "{isp}: links of several sites are poor"],
  "cause.carrierPop.bad": [
    "{isp} 到 POP {pop} 的链路中断",
    "{isp} to POP {pop}: links of several sites are down",
  ],
  "cause.carrierPop.warn": [
    "{isp} 到 POP {pop} 的链路质量差",
    "{isp} to POP {pop}: links of several sites are poor",
  ],
  "cause.sites": ["{count} 个站点：{state}", "{count|site|sites}: {state}"],
  "cause.pops": ["{count} 个 POP：{state}", "{count|POP|POPs}: {state}"],
  "cause.node": ["{name}：{state}", "{name}: {state}"],
  "cause.nodeBecause": ["{name}：{state}。{because}", "{name}: {state}. {because}"],
  "cause.extent": [
    "{enterprises} 家企业的 {sites} 个站点",
    "{sites|site|sites} of {enterprises|enterprise|enterprises}",
  ],
  "cause.extentOfPops": ["{count} 个 POP", "{count|POP|POPs}"],
  "cause.extentOfDevices": [
    "{enterprises} 家企业的 {count} 台设备",
    "{count|device|devices} of {enterprises|enterprise|enterprises}",
  ],
  "cause.extentOfLinks": ["{links} 条链路", "{links|link|links}"],
  "cause.loss": ["丢包率最高 {loss}%", "loss up to {loss}%"],
  "cause.moreSites": ["等 {count} 个", "and {count} more"],
  "cause.evidence": ["查看详情", "Evidence"],
});
