import { defineMessages } from "@weft/contract/kernel/message.ts";

export const figuresMessages = defineMessages({
  "figures.title": ["监控", "Figures"],
  "figures.range": ["时间范围", "Time range"],
  "figures.hour": ["1 小时", "1 h"],
  "figures.day": ["24 小时", "24 h"],
  "figures.week": ["7 天", "7 d"],
  "figures.month": ["30 天", "30 d"],
  "figures.lines": ["线路流量", "Throughput of WAN links"],
  "figures.load": ["处理器与内存", "Processor and memory"],
  "figures.quality": ["链路时延与抖动", "Delay and jitter of the link"],
  "figures.loss": ["链路丢包", "Loss of the link"],
  "figures.link": ["链路", "Link"],
  "figures.in": ["{name} 入", "{name} in"],
  "figures.out": ["{name} 出", "{name} out"],
  "figures.cpu": ["处理器", "Processor"],
  "figures.memory": ["内存", "Memory"],
  "figures.delay": ["往返时延", "Round trip"],
  "figures.jitter": ["抖动", "Jitter"],
  "figures.lossRate": ["丢包率", "Loss"],
});
