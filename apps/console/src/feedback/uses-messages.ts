import { defineMessages } from "@weft/contract/kernel/message.ts";

/** Texts of what still uses rows that are to be removed. */
export const usesMessages = defineMessages({
  "uses.title": [
    "不能移除：以下 {count} 项仍在使用。先移除它们，或改为不再引用。",
    "Cannot be removed: {count|object still uses it|objects still use it}. Remove or change them first.",
  ],
  "uses.row": ["{title}“{name}”", "{title} “{name}”"],
  "uses.more": ["另有 {count} 项未列出", "{count} more are not listed"],
});
