import { defineMessages } from "@weft/contract/kernel/message.ts";

/** How often rules fitted. */
export const hitMessages = defineMessages({
  "hits.title": ["24 小时命中", "Hits in 24 h"],
  "hits.of": ["“{name}”的命中", "Hits of “{name}”"],
  "hits.count": ["“{name}”的命中：{count}", "Hits of “{name}”: {count}"],
  "hits.range": ["时间范围", "Time range"],
  "hits.never": ["90 天内无命中", "None in the last 90 days"],
  "hits.last": ["最近命中", "Last hit"],
  "hits.each": ["命中", "Hits"],
  "hits.day": ["24 小时", "24 h"],
  "hits.week": ["7 天", "7 d"],
  "hits.month": ["30 天", "30 d"],
});
