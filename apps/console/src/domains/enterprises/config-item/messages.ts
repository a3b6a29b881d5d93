import { defineMessages } from "@weft/contract/kernel/message.ts";

export const configItemMessages = defineMessages({
  "configItem.title": ["配置列表", "Config list"],
  "configItem.add": ["新增配置项", "Add value"],
  "configItem.search": ["配置项", "Key"],
  "configItem.empty": [
    "还没有配置项。配置项是企业保存的键和值，供对接系统读取",
    "No values yet. A value is stored under its key with an enterprise, for connected systems to read",
  ],
  "configItem.removeBody": [
    "读取它的系统将得不到这个值，不能恢复。",
    "Systems that read it no longer get a value. This cannot be undone.",
  ],
});
