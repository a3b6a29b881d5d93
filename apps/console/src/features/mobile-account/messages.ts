import { defineMessages } from "@weft/contract/kernel/message.ts";

export const mobileAccountMessages = defineMessages({
  "account.title": ["移动终端账号", "Mobile accounts"],
  "account.add": ["新增账号", "Add account"],
  "account.editOf": ["编辑账号 {name}", "Edit account {name}"],
  "account.search": ["别名", "Alias"],
  "account.state": ["授权", "Licence"],
  "account.noEnd": ["无到期时间", "No end"],
  "account.usual": ["按企业配置", "as the enterprise has it"],
  "account.noPop": ["未指定 POP", "no POP set"],
  "account.txTitle": ["下行 Mbit/s", "Down Mbit/s"],
  "account.rxTitle": ["上行 Mbit/s", "Up Mbit/s"],
  "account.bandwidthHelp": ["留空按企业配置", "Empty: as the enterprise has it"],
  "account.expireHelp": ["留空则没有到期时间", "Empty: it never ends"],
  "account.batchExpire": ["修改到期时间", "Set expiry"],
  "account.batchExpireOf": ["修改 {count} 个账号的到期时间", "Set the expiry of {count} accounts"],
  "account.disableTitle": ["禁用 {count} 个账号？", "Disable {count} accounts?"],
  "account.disableBody": [
    "禁用的账号不能再使用；它们的设置保留。",
    "A disabled account cannot be used; its settings stay.",
  ],
  "account.removeTitle": ["移除账号 {name}？", "Remove account {name}?"],
  "account.removeTitleMany": ["移除 {count} 个账号？", "Remove {count} accounts?"],
  "account.removeBody": [
    "账号立即失效，不能恢复。",
    "They stop working at once and cannot be brought back.",
  ],
  "account.password": ["修改密码", "Password"],
  "account.passwordOf": ["设置账号 {name} 的密码", "Set the password of account {name}"],
  "account.import": ["导入", "Import"],
  "account.importTitle": ["导入移动终端账号", "Import mobile accounts"],
  "account.empty": [
    "还没有移动终端账号。新增账号，或从文件导入",
    "No mobile accounts yet. Add one, or import a file",
  ],
});
