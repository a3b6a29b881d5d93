import type { Message } from "@weft/contract/kernel/message.ts";
import { refuse } from "#kernel/refuse.ts";

/** Why a login by an identity provider is refused, for the person who logs in. */
export const reasons = {
  notWaiting: [
    "登录已过期或已使用，请重新开始",
    "the login has expired or was used already; start again",
  ],
  gone: ["该身份提供方已停用", "the identity provider is disabled"],
  noRole: [
    "您的用户组没有对应的角色，请联系管理员",
    "none of your groups has a role here; ask your administrator",
  ],
  severalEnterprises: [
    "您的用户组对应多个企业的角色，请联系管理员",
    "your groups have roles of several enterprises; ask your administrator",
  ],
  otherEnterprise: [
    "您的用户组对应另一企业的角色，请联系管理员",
    "your groups have roles of another enterprise than your account; ask your administrator",
  ],
  email: ["需要指定域名的已验证邮箱", "a verified e-mail address of an allowed domain is needed"],
  disabled: ["账号或企业已停用", "the account or its enterprise is disabled"],
  firstUser: ["首个管理员须用密码登录", "the first administrator logs in with the password"],
  mfa: [
    "该账号须两步验证，请用密码登录",
    "the account needs MFA, which this provider is not trusted with; log in with the password",
  ],
  noAuthTime: [
    "身份提供方未给出认证时间（ID 令牌缺少 auth_time），不能用来代替密码；请联系管理员在提供方启用 auth_time，或请有密码的管理员操作",
    "the identity provider does not report when you authenticated (no auth_time in the ID token), so its login cannot stand for a password; have auth_time enabled there, or an administrator with a password act",
  ],
  notAgain: [
    "身份提供方未要求您重新认证，不能用来代替密码；请重试",
    "the identity provider did not ask you to authenticate again, so this login cannot stand for a password; try again",
  ],
  authTimeAhead: [
    "身份提供方给出的认证时间（auth_time）晚于当前时间，不能用来代替密码；请联系管理员检查提供方：auth_time 须以秒为单位，时钟偏差不超过 60 秒",
    "the identity provider reports that you authenticated in the future (auth_time), so this login cannot stand for a password; have your administrator check there that auth_time is in seconds and that its clock is at most 60 seconds ahead",
  ],
  noName: ["无法生成登录名", "no login name is free"],
  notLinked: (subject: string): Message => [
    `没有关联的账号，请将此主体告知管理员：${plain(subject)}`,
    `no account is linked; give your administrator this subject: ${plain(subject)}`,
  ],
  unreachable: (detail: string): Message => [
    `身份提供方不可用（${plain(detail)}）`,
    `the identity provider does not work (${plain(detail)})`,
  ],
  badAnswer: (detail: string): Message => [
    `身份提供方的应答无效（${plain(detail)}）`,
    `the answer of the identity provider is not valid (${plain(detail)})`,
  ],
  denied: (error: string): Message => [
    `身份提供方拒绝了登录（${plain(error)}）`,
    `the identity provider refused the login (${plain(error)})`,
  ],
} as const satisfies Record<string, Message | ((text: string) => Message)>;

const maxText = 200;

/** What others wrote is no placeholder and no line of its own. */
const plain = (text: string): string => text.replaceAll(/[{}\p{Cc}]/gu, " ").slice(0, maxText);

/** Ends the login. @throws Refusal ssoRefused */
export function refuseLogin(reason: Message): never {
  refuse("ssoRefused", { reason });
}
