import { defineMessages } from "@weft/contract/kernel/message.ts";

/** Texts of adding many entries as pasted lines. */
export const pasteMessages = defineMessages({
  "paste.title": ["粘贴多行：{what}", "Paste lines: {what}"],
  "paste.enterprise": ["所属企业", "Enterprise"],
  "paste.group": ["加入到组", "Add to group"],
  "paste.text": ["每行一个值", "One value a line"],
  "paste.hint": [
    "# 之后为注释，保存为备注；全角字符按半角处理；条目名称自动生成，已有的条目保持不变。",
    "Text behind # is a comment and becomes the remark; full-width characters count as ASCII. Entries are named automatically, and those that exist stay as they are.",
  ],
  "paste.counts": [
    "{lines} 行：可新增 {good} 条，重复 {double} 条，有误 {wrong} 条",
    "{lines|line|lines}: {good} to add, {double} double, {wrong} wrong",
  ],
  "paste.tooMany": ["一次最多 {max} 条", "At most {max} at a time"],
  "paste.run": ["新增 {count} 条", "Add {count|entry|entries}"],
  "paste.done": ["已新增 {new} 条，{old} 条已存在", "{new|entry|entries} added, {old} existed"],
  "paste.wrong": ["有误的行", "Wrong lines"],
  "paste.double": ["重复的行", "Double lines"],
  "paste.line": ["行", "Line"],
  "paste.value": ["值", "Value"],
  "paste.rule": ["原因", "Reason"],
  "paste.first": ["首次出现的行", "First on line"],
  "paste.example.blacklist": [
    "203.0.113.0/24  # 扫描源\nads.example.com",
    "203.0.113.0/24  # scanner\nads.example.com",
  ],
  "paste.example.routerIpgroupdefine": [
    "10.1.0.0/16  # 总部\n10.2.0.1-10.2.0.9",
    "10.1.0.0/16  # head office\n10.2.0.1-10.2.0.9",
  ],
  "paste.example.routerDomains": ["example.com\n*.example.net", "example.com\n*.example.net"],
  "paste.example.routerUrl": [
    "https://example.com/news\nexample.net",
    "https://example.com/news\nexample.net",
  ],
});
