import { defineMessages } from "@weft/contract/kernel/message.ts";

export const sessionMessages = defineMessages({
  "login.title": ["登录", "Log in"],
  "login.remember": ["记住我", "Remember me"],
  "login.forgot": ["忘记密码？", "Forgot your password?"],
  "login.show": ["显示", "Show"],
  "login.hide": ["隐藏", "Hide"],
  "login.showPassword": ["显示密码", "Show the password"],
  "login.hidePassword": ["隐藏密码", "Hide the password"],
  "login.fill": ["输入登录名和密码", "Enter login name and password"],
  "login.tooLong": ["密码最多 {max} 个字符", "A password has at most {max} characters"],
  "login.code": ["验证码", "Code"],
  "login.codeHelp": ["启用两步验证的账号才需要", "Only for accounts with a second factor"],
  "login.send": ["发送", "Send"],
  "login.sendAgain": ["{seconds} 秒后重发", "Again in {seconds} s"],
  "login.sent": ["验证码已发送，{minutes} 分钟内有效", "Code sent; valid for {minutes} minutes"],
  "login.passkey": ["使用通行密钥", "Use a passkey"],
  "login.passkeyFailed": [
    "通行密钥未响应，重试或改用验证码",
    "No answer of the passkey; retry, or use a code",
  ],
  "login.dark": ["深色", "Dark"],
  "login.light": ["浅色", "Light"],
  "login.switchLanguage": ["切换语言", "Switch language"],
});
