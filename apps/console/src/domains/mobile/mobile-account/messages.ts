import { defineMessages } from "@weft/contract/kernel/message.ts";

export const mobileAccountMessages = defineMessages({
  "account.title": ["账号管理", "Account management"],
  "account.add": ["新增账号", "Add account"],
  "account.editOf": ["编辑账号 {name}", "Edit account {name}"],
  "account.search": ["别名", "Alias"],
  "account.state": ["授权", "Licence"],
  "account.noEnd": ["无到期时间", "No end"],
  "account.inherited": ["按企业配置", "as set for the enterprise"],
  "account.noPop": ["未指定 POP", "no POP set"],
  "account.txTitle": ["下行 Mbit/s", "Down Mbit/s"],
  "account.rxTitle": ["上行 Mbit/s", "Up Mbit/s"],
  "account.bandwidthHelp": ["留空按企业配置", "Empty: as set for the enterprise"],
  "account.expireHelp": ["留空则没有到期时间", "Empty: no expiry"],
  "account.batchExpire": ["修改到期时间", "Set expiry"],
  "account.batchExpireOf": [
    "修改 {count} 个账号的到期时间",
    "Set the expiry of {count|account|accounts}",
  ],
  "account.disableTitle": ["停用 {count} 个账号？", "Disable {count|account|accounts}?"],
  "account.disableBody": [
    "停用的账号不能再使用；它们的设置保留。",
    "A disabled account cannot be used; its settings are kept.",
  ],
  "account.removeTitle": ["删除账号 {name}？", "Delete account {name}?"],
  "account.removeTitleMany": ["删除 {count} 个账号？", "Delete {count|account|accounts}?"],
  "account.removeBody": [
    "账号立即失效，不能恢复。",
    "They stop working immediately. This cannot be undone.",
  ],
  "account.password": ["修改密码", "Password"],
  "account.passwordOf": ["设置账号 {name} 的密码", "Set the password of account {name}"],
  "client.action": ["客户端", "Client"],
  "client.title": ["{name} 的客户端", "Client of {name}"],
  "client.server": ["服务器", "Server"],
  "client.none": ["还没有", "none yet"],
  "client.make": ["生成密钥和配置", "Generate key and configuration"],
  "client.makeHelp": [
    "密钥对在这个浏览器里生成，只有公钥会发送出去。私钥只在配置里，关闭后不能再看到。",
    "The key pair is generated in this browser, and only the public key is sent. The private key is contained in the configuration only and cannot be shown again.",
  ],
  "client.ownHelp": [
    "终端已有密钥时，填写其公钥：",
    "If the terminal has its own key, enter its public key:",
  ],
  "client.once": [
    "用手机扫码，或保存为文件导入。关闭后不能再看到。",
    "Scan it with a phone, or save the file. It cannot be shown again after this dialog is closed.",
  ],
  "client.putKey": [
    "把终端自己的私钥填入配置。",
    "Enter the terminal's own private key in the configuration.",
  ],
  "client.save": ["保存配置文件", "Save configuration"],
  "client.renewKey": ["更换密钥", "Change the key"],
  "client.anewTitle": ["更换这个账号的密钥？", "Change the key of this account?"],
  "client.anewBody": [
    "使用现有配置的终端立即断开，需要新的配置。",
    "The terminal with the current configuration is disconnected immediately and needs the new one.",
  ],
  "client.obstacle.noService": [
    "企业还没有启用移动接入，请在配置管理中设置",
    "The enterprise does not admit mobile accounts yet; set it under Config management",
  ],
  "client.obstacle.noKey": ["账号还没有密钥", "The account has no key yet"],
  "client.obstacle.noAddress": ["账号还没有地址", "The account has no address yet"],
  "client.obstacle.disabled": [
    "账号已停用，不能连接",
    "The account is disabled and cannot connect",
  ],
  "client.obstacle.expired": ["账号已到期，不能连接", "The account has expired and cannot connect"],
  "client.obstacle.otherPop": [
    "账号指定的 POP 与企业的接入 POP 不同，不能连接",
    "The account is assigned to a POP that its enterprise does not use for remote access, and cannot connect",
  ],
  "client.obstacle.terminalType": [
    "企业不允许这种终端类型接入",
    "The enterprise does not admit this type of terminal",
  ],
  "client.obstacle.popUnready": [
    "接入 POP 还没有上线或没有地址",
    "The POP has not been online yet or has no address",
  ],
  "account.empty": [
    "还没有移动终端账号。新增账号，或从文件导入",
    "No mobile accounts yet. Add one, or import a file",
  ],
});
