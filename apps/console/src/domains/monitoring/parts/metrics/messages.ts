import { defineMessages } from "@weft/contract/kernel/message.ts";

export const metricsMessages = defineMessages({
  "metrics.title": ["监控", "Metrics"],
  "metrics.range": ["时间范围", "Time range"],
  "metrics.hour": ["1 小时", "1 h"],
  "metrics.day": ["24 小时", "24 h"],
  "metrics.week": ["7 天", "7 d"],
  "metrics.month": ["30 天", "30 d"],
  "metrics.lines": ["WAN 链路流量", "Throughput of WAN links"],
  "metrics.load": ["处理器与内存", "Processor and memory"],
  "metrics.quality": ["链路时延与抖动", "Delay and jitter of the link"],
  "metrics.loss": ["链路丢包", "Loss of the link"],
  "metrics.link": ["链路", "Link"],
  "metrics.in": ["{name} 入", "{name} in"],
  "metrics.out": ["{name} 出", "{name} out"],
  "metrics.cpu": ["处理器", "Processor"],
  "metrics.memory": ["内存", "Memory"],
  "metrics.delay": ["往返时延", "Round trip"],
  "metrics.jitter": ["抖动", "Jitter"],
  "metrics.lossRate": ["丢包率", "Loss"],
});
