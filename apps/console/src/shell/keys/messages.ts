import { defineMessages } from "@weft/contract/kernel/message.ts";

export const keyMessages = defineMessages({
  "keys.title": ["键盘快捷键", "Keyboard shortcuts"],
  "keys.screen": ["页面", "On every page"],
  "keys.row": ["列表的行", "On a row of a list"],
  "keys.anywhere": ["任何位置", "Anywhere"],
  "keys.home": ["首页（{title}）", "First page ({title})"],
  "keys.go": ["前往页面", "Go to a page"],
  "keys.goHow": ["先按 g，再按字母", "g, then the letter"],
  "keys.switch": ["单键快捷键", "Single-key shortcuts"],
  "keys.switchHelp": [
    "关闭后，字母与符号键不再触发操作；方向键、空格、Enter、Esc 和 Ctrl 组合键不受影响",
    "Off: single-character shortcuts are disabled; arrows, Space, Enter, Esc and keys with Ctrl still work",
  ],
});
