import { defineMessages } from "@weft/contract/kernel/message.ts";

export const chartMessages = defineMessages({
  "chart.asTable": ["表格", "Table"],
  "chart.asChart": ["图表", "Chart"],
  "chart.series": ["指标", "Metric"],
  "chart.last": ["最近", "Last"],
  "chart.p95": ["P95", "P95"],
  "chart.gap": ["无数据", "no data"],
  "chart.mean": ["平均", "Average"],
  "chart.most": ["最大", "Highest"],
  "chart.gaps": ["{count} 个时段无数据", "{count|interval|intervals} without data"],
  "chart.none": ["该时段没有数据", "Nothing was measured in this range"],
});
