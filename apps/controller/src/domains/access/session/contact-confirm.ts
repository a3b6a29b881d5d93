import type {
  ContactWay,
  userConfirm,
  userConfirmBegin,
} from "@weft/contract/domains/access/user.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { formatMessage, type Message } from "@weft/contract/kernel/message.ts";
import { sql } from "kysely";
import { inScope } from "#db/pool.ts";
import type { Api, Caller, Context } from "#kernel/api.ts";
import { refuse, refuseField } from "#kernel/refuse.ts";
import type { OutboxMessage } from "#outbox/enqueue.ts";
import { type CodePurpose, codeMinutes, newCode, recipientLimit } from "./code-rules.ts";
import { keepCode, tryCode, useCode } from "./code-store.ts";
import { notifyUser } from "./notices.ts";
import { hashPassword } from "./password.ts";
import { hashToken, isTokenShaped, newToken } from "./token.ts";

const purposes = { phone: "confirmPhone", email: "confirmEmail" } as const satisfies Record<
  ContactWay,
  CodePurpose
>;

const text: Message = [
  "{site}：验证码 {code}，{minutes} 分钟内有效，用于验证账号 {loginName} 的联系方式。不是您本人操作时忽略即可",
  "{site}: {code} is the code to confirm this address for the account {loginName}, valid for {minutes} minutes. If you did not ask for it, ignore it",
];
const subject: Message = ["验证码", "Confirmation code"];

interface OwnContact {
  readonly way: ContactWay;
  readonly address: string;
}

/** Where the caller is to be reached. */
export async function ownContact({ caller, db }: Context, way: ContactWay): Promise<OwnContact> {
  const row = await db
    .selectFrom("sys_user")
    .select(["phone", "email"])
    .where("id", "=", caller.userId)
    .executeTakeFirst();
  return { way, address: row?.[way] ?? refuseField("way", "required") };
}

/** As codes are looked up by an address. */
const targetOf = (address: string): string => address.toLowerCase();

/** Sends a code to the caller's own address. */
export async function sendConfirmation(
  { pools, site }: Pick<Api, "pools" | "site">,
  { way, address }: OwnContact,
  caller: Caller,
): Promise<OutputOf<typeof userConfirmBegin>> {
  if (!(way === "phone" ? site.sendsSms : site.sendsMail)) {
    refuse("notAllowedNow", {
      reason: ["本站未配置此发送方式", "this site cannot send messages by this channel"],
    });
  }
  const { language, enterpriseId, loginName } = caller;
  const code = newCode();
  const ticket = newToken();
  const body = formatMessage(text, language, {
    site: site.title(language),
    code,
    minutes: codeMinutes,
    loginName,
  });
  const message: OutboxMessage = {
    enterpriseId,
    recipient: address,
    body,
    validMinutes: codeMinutes,
    ...(way === "phone"
      ? { channel: "sms" }
      : { channel: "mail", subject: formatMessage(subject, language) }),
  };
  await keepCode(pools, {
    purpose: purposes[way],
    target: targetOf(address),
    address: caller.address,
    ticketHash: hashToken(ticket),
    codeHash: await hashPassword(code),
    message: () => message,
  });
  return { again: recipientLimit.pauseSeconds, valid: codeMinutes * 60, ticket };
}

/** Confirms the caller's address when the code that was sent there is right. @throws Refusal badCode */
export async function confirmContact(
  { pools }: Pick<Api, "pools">,
  { ticket, sms }: InputOf<typeof userConfirm>,
  { userId, enterpriseId, loginName, address, requestId }: Caller,
): Promise<null> {
  const ticketHash = hashToken(isTokenShaped(ticket) ? ticket : "");
  const code = await tryCode(pools, { ticketHash }, sms);
  const way = (["phone", "email"] as const).find((one) => purposes[one] === code?.purpose);
  if (!code || !way) return refuse("badCode");
  return inScope(pools.apiAll, { kind: "all", userId }, async (trx) => {
    const row = await trx
      .selectFrom("sys_user")
      .select(["phone", "email"])
      .where("id", "=", userId)
      .forUpdate()
      .executeTakeFirst();
    // The code proves the address that it was sent to, and no other.
    const current = row?.[way];
    if (!current || targetOf(current) !== code.target) return refuse("badCode");
    if (!(await useCode(trx, code.id))) return refuse("badCode");
    await trx
      .updateTable("sys_user")
      .set({ [`${way}_confirmed_at`]: sql`now()` })
      .where("id", "=", userId)
      .execute();
    await notifyUser(trx, { userId, enterpriseId }, "contactConfirmed", address);
    await trx
      .insertInto("audit")
      .values({
        enterprise_id: enterpriseId,
        user_id: userId,
        login_name: loginName,
        address,
        action: "user.confirm",
        resource: "user",
        row_id: userId,
        request_id: requestId,
        new_value: JSON.stringify({ loginName, [`${way}Confirmed`]: true }),
      })
      .execute();
    return null;
  });
}
