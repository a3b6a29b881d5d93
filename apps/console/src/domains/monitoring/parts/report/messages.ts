import { defineMessages } from "@weft/contract/kernel/message.ts";

export const reportMessages = defineMessages({
  "report.pickFirst": ["请先选择对象", "Select an object first"],
  "report.nothing": [
    "这一时段内没有测量数据。可选择更长的时段；设备在线后数据会自动出现。",
    "Nothing was measured in this range. Select a longer one; metrics arrive automatically once the device is online.",
  ],
  "report.chart.rate": ["速率", "Throughput"],
  "report.chart.bytes": ["流量", "Traffic"],
  "report.chart.load": ["处理器与内存", "Processor and memory"],
  "report.chart.quality": ["时延与抖动", "Delay and jitter"],
  "report.chart.loss": ["丢包", "Loss"],
  "report.metric.inRate": ["入", "In"],
  "report.metric.outRate": ["出", "Out"],
  "report.metric.inBytes": ["入", "In"],
  "report.metric.outBytes": ["出", "Out"],
  "report.metric.delay": ["往返时延", "Round trip"],
  "report.metric.jitter": ["抖动", "Jitter"],
  "report.metric.loss": ["丢包率", "Loss"],
  "report.metric.cpu": ["处理器", "Processor"],
  "report.metric.mem": ["内存", "Memory"],
});
