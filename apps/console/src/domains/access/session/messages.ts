import { defineMessages } from "@weft/contract/kernel/message.ts";

export const sessionMessages = defineMessages({
  "login.title": ["登录", "Log in"],
  "login.remember": ["记住我", "Remember me"],
  "login.forgot": ["忘记密码？", "Forgot your password?"],
  "login.show": ["显示", "Show"],
  "login.hide": ["隐藏", "Hide"],
  "login.showPassword": ["显示密码", "Show the password"],
  "login.hidePassword": ["隐藏密码", "Hide the password"],
  "login.over": [
    "会话已结束，重新登录后可继续；未保存的修改会恢复",
    "Your session has ended. Log in to go on; what was unsaved comes back",
  ],
  "login.fill": ["输入登录名和密码", "Enter login name and password"],
  "login.tooLong": ["密码最多 {max} 个字符", "A password has at most {max} characters"],
  "login.code": ["验证码", "Code"],
  "login.codeHelp": ["启用两步验证的账号才需要", "Only for accounts with MFA"],
  "login.send": ["发送", "Send"],
  "login.sendAgain": ["{seconds} 秒后重发", "Resend in {seconds} s"],
  "login.sent": ["验证码已发送，{minutes} 分钟内有效", "Code sent; valid for {minutes} minutes"],
  "login.passkey": ["使用通行密钥", "Use a passkey"],
  "login.passkeyFailed": [
    "通行密钥未响应，重试或改用验证码",
    "The passkey did not respond; retry, or use a code",
  ],
  "login.by": ["使用 {name} 登录", "Log in with {name}"],
  "login.dark": ["深色", "Dark"],
  "login.light": ["浅色", "Light"],
  "login.linkEnded": ["链接已失效", "This link has expired"],
  "login.linkEndedWhat": [
    "链接有效 10 分钟，分享者退出登录时也会失效。已保存的内容仍在；如需继续，请向分享者索取新链接，或使用账号登录",
    "A link is valid for ten minutes, or until the user who created it logs out. What you saved is kept. To continue, ask for a new link, or log in with an account",
  ],
  "login.switchLanguage": ["切换语言", "Switch language"],
});
