import { defineMessages } from "@weft/contract/kernel/message.ts";

/** Texts of the recovery of a password. */
export const forgetMessages = defineMessages({
  "forget.title": ["找回密码", "Recover your password"],
  "forget.way": ["验证码发送到", "Send the code to"],
  "forget.byPhone": ["手机", "Mobile phone"],
  "forget.byEmail": ["邮箱", "E-mail"],
  "forget.none": [
    "本站未配置短信和邮件，请联系管理员重设密码",
    "This site sends neither mails nor text messages: ask your administrator for a new password",
  ],
  "forget.send": ["发送验证码", "Send the code"],
  "forget.sent": [
    "如果有账号使用 {target}，验证码已发送，{minutes} 分钟内有效",
    "If an account uses {target}, a code was sent to it; it is valid for {minutes|minute|minutes}",
  ],
  "forget.confirmedOnly": [
    "只有账号本人已验证的手机或邮箱才能找回密码",
    "Only phone numbers and addresses that their user has confirmed recover a password",
  ],
  "forget.undo": ["撤销修改", "Undo a change"],
  "forget.undoHelp": [
    "您的登录名、手机或邮箱被他人修改时，原地址会收到撤销码",
    "If somebody changed your login name, phone number or e-mail address, an undo code was sent to the former address",
  ],
  "forget.undoCode": ["撤销码", "Undo code"],
  "forget.undone": [
    "已恢复，所有会话已结束。请立即重设密码",
    "Restored, and all sessions have ended. Set a new password now",
  ],
  "forget.set": ["设置新密码", "Set the new password"],
  "forget.sendFirst": ["先发送验证码", "Send a code first"],
  "forget.fillTarget": ["输入手机号或邮箱", "Enter a phone number or e-mail address"],
  "forget.done": ["密码已重设，用新密码登录", "The password was set; log in with it"],
  "forget.back": ["返回登录", "Back to login"],
  "forget.several": [
    "多个账号使用此号码，填写要重设的登录名",
    "Several accounts use it: enter the login name",
  ],
});
