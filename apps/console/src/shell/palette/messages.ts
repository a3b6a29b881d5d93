import { defineMessages } from "@weft/contract/kernel/message.ts";

export const paletteMessages = defineMessages({
  "palette.title": ["快速查找", "Quick search"],
  "palette.what": ["页面、设备、企业或操作", "Page, device, enterprise or action"],
  "palette.group.recent": ["最近", "Recent"],
  "palette.group.screen": ["页面", "Pages"],
  "palette.group.action": ["操作", "Actions"],
  "palette.group.cpe": ["CPE", "CPEs"],
  "palette.group.pop": ["POP", "POPs"],
  "palette.group.enterprise": ["企业", "Enterprises"],
  "palette.count": ["{count} 项", "{count} found"],
  "palette.searching": ["正在查找设备与企业", "Searching devices and enterprises"],
  "palette.nothing": ["没有找到“{text}”", "Nothing found for “{text}”"],
  "palette.looked": [
    "已按标题、名称和序列号查找",
    "Titles, names and serial numbers were searched",
  ],
  "palette.failed": ["设备与企业：{why}", "Devices and enterprises: {why}"],
  "palette.keys": ["↑ ↓ 选择，Enter 打开，Esc 关闭", "↑ ↓ select, Enter opens, Esc closes"],
});

/** What the shell does; each is found in both languages. */
export const actionTitles = defineMessages({
  info: ["打开个人资料", "Open my profile"],
  message: ["打开我的消息", "Open my messages"],
  dark: ["切换到深色模式", "Switch to dark mode"],
  light: ["切换到浅色模式", "Switch to light mode"],
  language: ["切换语言：English", "Switch language: 中文"],
  keys: ["显示键盘快捷键", "Show keyboard shortcuts"],
  out: ["退出登录", "Log out"],
});
