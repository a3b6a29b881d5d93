import { defineMessages } from "@weft/contract/kernel/message.ts";

export const sessionMessages = defineMessages({
  "login.title": ["登录", "Log in"],
  "login.remember": ["记住我", "Remember me"],
  "login.show": ["显示", "Show"],
  "login.hide": ["隐藏", "Hide"],
  "login.showPassword": ["显示密码", "Show the password"],
  "login.hidePassword": ["隐藏密码", "Hide the password"],
  "login.fill": ["输入登录名和密码", "Enter login name and password"],
  "login.dark": ["深色", "Dark"],
  "login.light": ["浅色", "Light"],
  "login.switchLanguage": ["切换语言", "Switch language"],
  "password.title": ["修改密码", "Change password"],
  "password.tip": [
    "{min}–{max} 个字符，不含空白，不要用常见密码",
    "{min} to {max} characters without white space, none that is easily guessed",
  ],
  "password.same": ["与新密码相同", "The same as the new password"],
  "password.done": ["密码已修改", "Password changed"],
});
