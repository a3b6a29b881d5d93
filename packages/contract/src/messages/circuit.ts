import { defineMessages } from "#kernel/message.ts";

/** Fields of circuits and of links that an operator makes. */
export const circuitTexts = defineMessages({
  "field.sourceId": ["一端", "One end"],
  "field.sourceName": ["一端", "One end"],
  "field.sourceSlot": ["一端的线路", "Line of that end"],
  "field.targetId": ["另一端", "Other end"],
  "field.targetName": ["另一端", "Other end"],
  "field.targetSlot": ["另一端的线路", "Line of the other end"],
  "field.guaranteed": ["保证带宽", "Guaranteed"],
  "field.preference": ["优先级", "Preference"],
  "enum.circuitStatus.0": ["已停用", "Disabled"],
  "enum.circuitStatus.3": ["正常", "Normal"],
  "enum.circuitStatus.4": ["即将到期", "Due soon"],
  "enum.circuitStatus.5": ["已到期", "Expired"],
});
