import { defineMessages } from "@weft/contract/kernel/message.ts";

/** Sections of policy objects, in templates and on nodes. */
export const policyMessages = defineMessages({
  "policy.add": ["新增{what}", "Add {what}"],
  "policy.edit": ["编辑{what}“{name}”", "Edit {what} “{name}”"],
  "policy.removeTitle": ["删除{what}“{name}”？", "Remove {what} “{name}”?"],
  "policy.removeBody": [
    "仍被规则引用的对象不能删除；组内条目随组一起删除。",
    "What a rule still names cannot be removed; entries go with their group.",
  ],
  "policy.empty": ["还没有{what}，先新增一个", "No {what} yet; add the first one"],
});
