import { defineMessages } from "@weft/contract/kernel/message.ts";
import { useTexts } from "#client/texts.ts";

const messages = defineMessages({
  "trace.titleOf": ["{name}：数据包追踪", "Packet trace on {name}"],
  "trace.what": [
    "描述一个新连接的数据包，查看设备当前运行的配置在每一步如何处理它。不会发送任何数据包。",
    "Describe a packet of a new flow and see what each stage of the running configuration does with it. No packet is sent.",
  ],
  "trace.from": ["来自", "Comes from"],
  "trace.interface": ["接口", "Interface"],
  "trace.source": ["源地址", "Source address"],
  "trace.destination": ["目的地址", "Destination address"],
  "trace.protocol": ["协议", "Protocol"],
  "trace.sourcePort": ["源端口", "Source port"],
  "trace.targetPort": ["目的端口", "Destination port"],
  "trace.anyPort": ["留空：取未被任何规则指定的端口", "Empty: a port that no rule names"],
  "trace.mac": ["MAC 地址", "MAC address"],
  "trace.macHelp": ["留空：取未被任何规则指定的 MAC 地址", "Empty: an address that no rule names"],
  "trace.run": ["追踪", "Trace"],
  "trace.by": ["依据设备运行的配置 {serial}", "By configuration {serial}, which the device runs"],
  "trace.object": ["{title} {name}（{level}）", "{title} {name} ({level})"],
  "enum.policyLevel.node": ["设备", "of the node"],
  "enum.policyLevel.template": ["模板", "of its template"],
  "enum.policyLevel.enterprise": ["企业", "of the enterprise"],
  "enum.packetOrigin.lan": ["LAN 主机", "A host of a LAN"],
  "enum.packetOrigin.line": ["WAN 链路（互联网）", "A WAN link (internet)"],
  "enum.packetOrigin.space": ["空间（隧道）", "The space (a tunnel)"],
  "enum.traceOutcome.forwarded": ["转发", "Forwarded"],
  "enum.traceOutcome.delivered": ["送达设备自身", "Delivered to the device itself"],
  "enum.traceOutcome.dropped": ["丢弃", "Dropped"],
});

export const useTraceTexts = () => useTexts(messages);
