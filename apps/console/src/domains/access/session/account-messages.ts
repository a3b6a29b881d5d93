import { defineMessages } from "@weft/contract/kernel/message.ts";

/** Texts for changing the user's own password. */
export const passwordMessages = defineMessages({
  "password.title": ["修改密码", "Change password"],
  "password.missing": ["请输入原密码", "Please enter old password"],
  "password.tip": [
    "{min}–{max} 个字符，不含空白，不要用常见密码",
    "{min} to {max} characters without white space, none that is easily guessed",
  ],
  "password.same": ["与新密码相同", "The same as the new password"],
  "password.done": ["密码已修改", "Password changed"],
});

/** Texts of the user's own account: profile, MFA methods, sessions. */
export const accountMessages = defineMessages({
  "profile.title": ["个人资料", "Profile"],
  "profile.account": ["账号", "Account"],
  "profile.password": ["密码", "Password"],
  "profile.passwordHelp": [
    "修改后其他会话立即结束",
    "A change ends all your other sessions immediately",
  ],
  "profile.factors": ["两步验证", "MFA methods"],
  "profile.demanded": ["您的角色或企业要求两步验证", "Your role or enterprise requires one"],
  "profile.sessions": ["会话", "Sessions"],
  "factor.none": [
    "尚未设置：登录只凭密码。添加验证器或通行密钥后，密码泄露也无法登录",
    "None yet: the password alone is enough to log in. With an app or a passkey, a stolen password is not",
  ],
  "factor.totp": ["验证器应用", "Authenticator app"],
  "factor.totpOn": ["已启用", "On"],
  "factor.addTotp": ["添加验证器", "Add an app"],
  "factor.addPasskey": ["添加通行密钥", "Add a passkey"],
  "factor.passkey": ["通行密钥", "Passkey"],
  "factor.host": ["用于 {host}", "For {host}"],
  "factor.usedNever": ["未使用过", "Never used"],
  "factor.recovery": ["恢复码", "Recovery codes"],
  "factor.recoveryLeft": ["剩余 {count} 个", "{count} left"],
  "factor.renew": ["更换恢复码", "Replace them"],
  "factor.renewTitle": ["更换恢复码", "Replace the recovery codes"],
  "factor.renewBody": ["旧恢复码立即失效", "The old ones stop working immediately"],
  "factor.removeTotpTitle": ["移除验证器", "Remove the authenticator app"],
  "factor.removePasskeyTitle": ["移除通行密钥 {name}", "Remove the passkey {name}"],
  "factor.removeBody": [
    "登录将不再需要它；最后一个移除后只凭密码",
    "Logins no longer ask for it; without any MFA method the password alone is enough",
  ],
  "factor.passwordLabel": ["当前密码", "Your password"],
  "factor.next": ["下一步", "Next"],
  "factor.scan": [
    "用验证器应用扫描，或手工输入密钥",
    "Scan it with your app, or type the key by hand",
  ],
  "factor.key": ["密钥", "Key"],
  "factor.codeLabel": ["应用显示的 6 位验证码", "The six digits that the app shows"],
  "factor.confirm": ["确认", "Confirm"],
  "factor.passkeyName": ["名称，用于辨认", "A name to recognize it by"],
  "factor.passkeyWait": ["按浏览器提示操作", "Follow your browser"],
  "factor.passkeyRefused": ["浏览器未创建通行密钥", "The browser did not create a passkey"],
  "factor.noPasskeys": ["通行密钥需要 HTTPS 和域名", "Passkeys need HTTPS and a host name"],
  "factor.codesTitle": ["保存恢复码", "Keep your recovery codes"],
  "factor.codesOnce": [
    "只显示这一次。手机或密钥丢失时，每个恢复码可登录一次",
    "Shown only now. Each can be used for one login if you lose your phone or key",
  ],
  "factor.codesKept": ["已保存", "I have saved them"],
  "factor.gateTitle": ["先设置两步验证", "Set up MFA first"],
  "factor.gateBody": [
    "您的角色或企业要求两步验证，完成后即可使用控制台",
    "Your role or enterprise requires it; you can use the console afterwards",
  ],
  "factor.leave": ["退出登录", "Log out"],
  "session.current": ["本会话", "This session"],
  "session.open": ["有效", "Open"],
  "session.agent": ["浏览器", "Browser"],
  "session.ip": ["来源", "From"],
  "session.since": ["登录时间", "Logged in"],
  "session.last": ["最近使用", "Last used"],
  "session.end": ["结束此会话", "End this session"],
  "session.endTitle": ["结束来自 {ip} 的会话？", "End the session from {ip}?"],
  "session.endBody": ["该浏览器立即退出登录", "That browser is logged out immediately"],
});
