import { messageType } from "@weft/contract/domains/access/enums.ts";
import { defineMessages, type Message } from "@weft/contract/kernel/message.ts";
import type { Transaction } from "kysely";
import { inScope, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { leaveMessages } from "#domains/notifications/message/public.ts";
import type { Context } from "#kernel/api.ts";

/** What changed about how an account is guarded. */
const texts = defineMessages({
  password: ["密码已修改", "Your password was changed"],
  recovered: ["密码已通过验证码重设", "Your password was reset with a code"],
  contactChanged: [
    "登录名、手机或邮箱已修改",
    "Your login name, phone number or e-mail address was changed",
  ],
  contactConfirmed: ["手机或邮箱已验证", "Your phone number or e-mail address was confirmed"],
  contactRestored: [
    "登录名、手机和邮箱已恢复为修改前的值",
    "Your login name, phone number and e-mail address were restored",
  ],
  accountLinked: [
    "账号的单点登录关联已修改",
    "The link of your account to an identity provider was changed",
  ],
  totpAdded: ["已添加验证器", "An authenticator app was added"],
  totpRemoved: ["已删除验证器", "The authenticator app was deleted"],
  passkeyAdded: ["已添加通行密钥", "A passkey was added"],
  passkeyRemoved: ["已删除通行密钥", "A passkey was deleted"],
  codesRenewed: ["恢复码已更换", "The recovery codes were replaced"],
  codeUsed: ["有人用恢复码登录", "A recovery code was used to log in"],
  factorsReset: ["管理员已重置两步验证", "An administrator removed all MFA methods"],
});
export type SecurityEvent = keyof typeof texts;

const body = (address: string): Message => [
  `来源 ${address}。不是您本人操作时，立即修改密码并结束其他会话`,
  `From ${address}. If this was not you, change your password and end your other sessions`,
];

/** Notifies a person of it, with the way to the page where it can be undone. */
export function notifyUser(
  trx: Transaction<Database>,
  person: { readonly userId: number; readonly enterpriseId: number },
  event: SecurityEvent,
  address: string,
): Promise<void> {
  const { userId, enterpriseId } = person;
  return leaveMessages(trx, [
    {
      userId,
      enterpriseId,
      type: messageType.security,
      link: "/user/info",
      title: texts[event],
      content: body(address),
    },
  ]);
}

/** The same about the caller's own account. */
export const notifyCaller = (ctx: Context, event: SecurityEvent): Promise<void> =>
  notifyUser(ctx.db, ctx.caller, event, ctx.caller.address);

/** The same in a transaction of its own: before there is a session. */
export const notifyWithoutSession = (
  pools: Pools<Database>,
  person: { readonly userId: number; readonly enterpriseId: number },
  event: SecurityEvent,
  address: string,
): Promise<void> =>
  inScope(pools.auth, { kind: "all" }, (trx) => notifyUser(trx, person, event, address));
