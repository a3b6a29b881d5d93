import { defineMessages } from "@weft/contract/kernel/message.ts";

/** Texts of what still uses rows that are to be removed. */
export const usesMessages = defineMessages({
  "uses.title": [
    "不能删除：以下 {count} 项仍在使用，先删除它们或解除引用。",
    "Cannot be deleted: {count|object still uses it|objects still use it}. Delete or change them first.",
  ],
  "uses.row": ["{title}“{name}”", "{title} “{name}”"],
  "uses.more": ["另有 {count} 项未列出", "{count} more are not listed"],
});
