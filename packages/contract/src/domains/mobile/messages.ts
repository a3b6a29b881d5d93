import { defineMessages } from "#kernel/message.ts";

/** Labels of codes and fields that only this domain has, both languages in one line. */
export const messages = defineMessages({
  "field.terminalType": ["终端类型", "Terminal type"],
  "field.txbps": ["下行带宽", "Down bandwidth"],
  "field.rxbps": ["上行带宽", "Up bandwidth"],
  "field.hasPassword": ["已设密码", "Has password"],
  "field.publicKey": ["公钥", "Public key"],
  "field.ipPool": ["地址池", "Address pool"],
  "field.serverHost": ["服务器地址", "Server address"],
  "field.defaultTxbps": ["默认下行带宽", "Default down bandwidth"],
  "field.defaultRxbps": ["默认上行带宽", "Default up bandwidth"],
  "field.allowTerminalTypes": ["允许的终端类型", "Terminal types admitted"],
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
