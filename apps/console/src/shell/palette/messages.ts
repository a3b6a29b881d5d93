import { defineMessages } from "@weft/contract/kernel/message.ts";

export const paletteMessages = defineMessages({
  "palette.title": ["快速查找", "Quick search"],
  "palette.what": [
    "页面、名称、IP、MAC、序列号或拼音首字母",
    "Page, name, IP, MAC or serial number",
  ],
  "palette.group.recent": ["最近", "Recent"],
  "palette.group.screen": ["页面", "Pages"],
  "palette.group.action": ["操作", "Actions"],
  "palette.group.cpe": ["CPE", "CPEs"],
  "palette.group.pop": ["POP", "POPs"],
  "palette.group.enterprise": ["企业", "Enterprises"],
  "palette.group.account": ["移动账号", "Mobile accounts"],
  "palette.group.netSpace": ["网络空间", "Spaces"],
  "palette.group.template": ["模板", "Templates"],
  "palette.group.alarm": ["活动告警", "Active alarms"],
  "palette.group.verb": ["操作", "Actions"],
  "palette.verbsOf": ["{name} 的操作", "Actions of {name}"],
  "palette.by.line": ["WAN 链路 {value}", "WAN link {value}"],
  "palette.by.lan": ["LAN {value}", "LAN {value}"],
  "palette.by.host": ["主机 {value}", "host {value}"],
  "palette.by.login": ["登录名 {value}", "login {value}"],
  "palette.count": ["{count} 项", "{count} found"],
  "palette.searching": ["正在查找", "Searching"],
  "palette.nothing": ["没有找到“{text}”", "Nothing found for “{text}”"],
  "palette.looked": [
    "已按页面标题、名称、拼音首字母、序列号、IP 和 MAC 地址查找",
    "Titles, names, serial numbers, IP and MAC addresses were searched",
  ],
  "palette.failed": ["查找失败：{why}", "The search failed: {why}"],
  "palette.keys": [
    "↑ ↓ 选择，Enter 打开，→ 更多操作，Esc 关闭",
    "↑ ↓ select, Enter opens, → actions, Esc closes",
  ],
  "palette.verbKeys": ["↑ ↓ 选择，Enter 执行，← 返回", "↑ ↓ select, Enter runs, ← back"],
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

/** What can be done with a row that was found; each is found in both languages. */
export const verbTitles = defineMessages({
  open: ["打开", "Open"],
  configure: ["配置", "Configure"],
  sites: ["查看站点", "Sites"],
  links: ["查看链路", "Links"],
  report: ["查看报表", "Report"],
  logs: ["查看日志", "Logs"],
  alarms: ["查看告警", "Alarms"],
  changes: ["查看变更记录", "Changes"],
});
