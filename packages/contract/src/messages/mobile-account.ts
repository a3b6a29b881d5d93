import { defineMessages } from "#kernel/message.ts";

/** Fields of mobile accounts. */
export const mobileAccountFields = defineMessages({
  "field.popId": ["POP", "POP"],
  "field.terminalType": ["终端类型", "Terminal type"],
  "field.txbps": ["下行带宽", "Down bandwidth"],
  "field.rxbps": ["上行带宽", "Up bandwidth"],
  "field.expire": ["到期时间", "Expires"],
  "field.tokenState": ["授权状态", "Licence state"],
  "field.hasPassword": ["已设密码", "Has password"],
  "enum.terminalType.1": ["X86", "X86"],
  "enum.terminalType.2": ["MIPS", "MIPS"],
  "enum.terminalType.3": ["MIPSEL", "MIPSEL"],
  "enum.terminalType.4": ["ARM", "ARM"],
  "enum.terminalType.5": ["PC", "PC"],
  "enum.terminalType.6": ["安卓", "Android"],
  "enum.terminalType.7": ["苹果", "Apple"],
  "enum.terminalType.1000": ["客户端", "Client"],
  "enum.tokenState.3": ["正常", "Normal"],
  "enum.tokenState.4": ["即将到期", "Due soon"],
  "enum.tokenState.5": ["已到期", "Expired"],
});
