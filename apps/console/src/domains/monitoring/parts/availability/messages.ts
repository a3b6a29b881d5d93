import { defineMessages } from "@weft/contract/kernel/message.ts";

export const availabilityMessages = defineMessages({
  "availability.title": ["可用率", "Availability"],
  "availability.range": ["时间范围", "Time range"],
  "availability.day": ["24 小时", "24 h"],
  "availability.week": ["7 天", "7 d"],
  "availability.percent": ["在线率 {percent} %（按有效采样）", "{percent} % up (of known time)"],
  "availability.none": ["这段时间没有记录", "No data for this range"],
  "availability.short": [
    "有效采样仅 {time}，不足以计算可用率",
    "Known for {time} only, too short for a rate",
  ],
  "availability.outages": ["中断 {count} 次", "outages: {count}"],
  "availability.unknown": ["未知 {time}", "Unknown for {time}"],
  "availability.bucket": [
    "{time}：在线 {up}，中断 {down}，未知 {unknown}",
    "{time}: up {up}, down {down}, unknown {unknown}",
  ],
  "availability.up": ["在线", "Up"],
  "availability.down": ["中断", "Down"],
  "availability.gap": ["未知", "Unknown"],
  "availability.hours": ["{count} 小时", "{count} h"],
  "availability.minutes": ["{count} 分钟", "{count} min"],
});
