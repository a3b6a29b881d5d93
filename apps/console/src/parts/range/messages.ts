import { defineMessages } from "@weft/contract/kernel/message.ts";

export const rangeMessages = defineMessages({
  "range.title": ["时间范围", "Range"],
  "range.preset.1h": ["1 小时", "1 h"],
  "range.preset.6h": ["6 小时", "6 h"],
  "range.preset.24h": ["24 小时", "24 h"],
  "range.preset.7d": ["7 天", "7 d"],
  "range.preset.30d": ["30 天", "30 d"],
  "range.from": ["开始", "From"],
  "range.to": ["结束", "To"],
});
