import type { undoContact } from "@weft/contract/domains/access/login.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import { formatMessage, type Message } from "@weft/contract/kernel/message.ts";
import { findMessage } from "@weft/contract/messages.ts";
import { type Selectable, sql } from "kysely";
import { inScope } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { Api, Context, RequestFacts, Site } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { enqueueMessages, type OutboxMessage } from "#outbox/enqueue.ts";
import { recordByCode, revokeKeysOf } from "./made-keys.ts";
import { notifyUser } from "./notices.ts";
import { hashRecoveryCode, newRecoveryCode, plainRecoveryCode } from "./recovery-codes.ts";

/** What names an account and reaches its person: whoever sets it can take the account over. */
export const contactFields = ["loginName", "phone", "email"] as const;
export type ContactField = (typeof contactFields)[number];

type User = Selectable<Database["sys_user"]>;
export type Contact = Pick<User, "id" | "enterprise_id" | "login_name" | "phone" | "email"> &
  Pick<User, "phone_confirmed_at" | "email_confirmed_at">;

const undoDays = 7;

const notice: Message = [
  "{site}：账号 {loginName} 的{fields}已修改（来源 {address}）。未经您同意的，请在 {days} 天内从登录页打开“找回密码”，选择“撤销修改”，输入撤销码 {code}，然后重设密码",
  '{site}: {fields} of the account {loginName} changed (from {address}). If you did not agree, open "Recover your password" on the login page within {days} days, choose "Undo a change", enter the code {code}, and set a new password',
];
/** To an address that may be that of who held the account. */
const noticeOnly: Message = [
  "{site}：账号 {loginName} 的{fields}已由管理员修改（来源 {address}）。有疑问请联系管理员",
  "{site}: {fields} of the account {loginName} changed by an administrator (from {address}). Contact the administrator if you have questions",
];
const subject: Message = ["账号的联系方式已修改", "Your account's contact data changed"];

/**
 * Records that a user's login name, phone number or address changes, and informs the person: by a message here,
 * and at the former address with a code that undoes it. Before the change, in its transaction.
 */
export async function recordContactChange(
  ctx: Context,
  site: Site,
  old: Contact,
  changed: readonly ContactField[],
): Promise<void> {
  const isOwn = old.id === ctx.caller.userId;
  // An address that was put in place by a session of the account may be that of whoever held the session.
  const isSuspect = !isOwn && (await hasOwnChange(ctx, old.id));
  if (!isOwn) await voidOwnUndo(ctx.db, old.id);
  const code = isSuspect ? null : newRecoveryCode();
  if (code !== null) await keepUndo(ctx, old, code, isOwn);
  const texts = noticeTexts(ctx, site, old, changed, code);
  await enqueueMessages(ctx.db, noticesTo(site, old, changed, texts));
  const person = { userId: old.id, enterpriseId: old.enterprise_id };
  await notifyUser(ctx.db, person, "contactChanged", ctx.caller.address);
}

/** Ends the codes of changes that sessions of the account made: they would hand it back to who held one. */
export const voidOwnUndo = (db: Context["db"], userId: number): Promise<unknown> =>
  db
    .updateTable("contact_change")
    .set({ used_at: sql<Date>`now()` })
    .where("user_id", "=", userId)
    .where("by_own", "=", true)
    .where("used_at", "is", null)
    .execute();

/** Whether a session of the account changed it within the days of an undo. */
async function hasOwnChange({ db }: Context, userId: number): Promise<boolean> {
  const change = await db
    .selectFrom("contact_change")
    .select("id")
    .where("user_id", "=", userId)
    .where("by_own", "=", true)
    .where("expires_at", ">", sql<Date>`now()`)
    .executeTakeFirst();
  return change !== undefined;
}

async function keepUndo(ctx: Context, old: Contact, code: string, isOwn: boolean): Promise<void> {
  await ctx.db
    .insertInto("contact_change")
    .values({
      enterprise_id: old.enterprise_id,
      user_id: old.id,
      code_hash: hashRecoveryCode(plainRecoveryCode(code) ?? ""),
      old_login_name: old.login_name,
      old_phone: old.phone,
      old_email: old.email,
      old_phone_confirmed_at: old.phone_confirmed_at,
      old_email_confirmed_at: old.email_confirmed_at,
      by_own: isOwn,
      expires_at: sql<Date>`now() + make_interval(days => ${undoDays}::int)`,
    })
    .execute();
}

/** In both languages: the language of the reader at the former address is unknown. */
function noticeTexts(
  { caller }: Context,
  site: Site,
  old: Contact,
  changed: readonly ContactField[],
  code: string | null,
): string {
  return (["zh_cn", "en_gb"] as const)
    .map((language) => {
      const names = changed.map((field) => {
        const name = findMessage(`field.${field}`);
        return name ? formatMessage(name, language) : field;
      });
      return formatMessage(code === null ? noticeOnly : notice, language, {
        site: site.title(language),
        loginName: old.login_name,
        fields: names.join(language === "zh_cn" ? "、" : ", "),
        address: caller.address,
        days: undoDays,
        code: code ?? "",
      });
    })
    .join("\n");
}

/** To each address that changes; where none did, to one that stays. */
function noticesTo(
  site: Site,
  old: Contact,
  changed: readonly ContactField[],
  body: string,
): OutboxMessage[] {
  const mail = site.sendsMail ? old.email : null;
  const sms = site.sendsSms ? old.phone : null;
  const base = { enterpriseId: old.enterprise_id, body, validMinutes: undoDays * 24 * 60 };
  const mails: OutboxMessage[] =
    mail === null
      ? []
      : [{ ...base, channel: "mail", recipient: mail, subject: `${subject[0]} / ${subject[1]}` }];
  const texts: OutboxMessage[] = sms === null ? [] : [{ ...base, channel: "sms", recipient: sms }];
  const former = [
    ...(changed.includes("email") ? mails : []),
    ...(changed.includes("phone") ? texts : []),
  ];
  return former.length > 0 ? former : [...mails, ...texts].slice(0, 1);
}

type Change = Selectable<Database["contact_change"]>;

/**
 * Undoes a change, and all that followed it. Sessions end: whoever changed the address may have one.
 * @throws Refusal badCode
 */
export function undoContactChange(
  { pools }: Pick<Api, "pools">,
  { undoCode }: InputOf<typeof undoContact>,
  facts: RequestFacts,
): Promise<null> {
  const plain = plainRecoveryCode(undoCode) ?? refuse("badCode");
  return inScope(pools.apiAll, { kind: "all" }, async (trx) => {
    const { rows } = await sql<Change>`
      select c.* from contact_change c join sys_user u on u.id = c.user_id
      where c.code_hash = ${hashRecoveryCode(plain)} and c.used_at is null and c.expires_at > now()
      for update`.execute(trx);
    const change = rows[0] ?? refuse("badCode");
    const { rows: restored } = await sql<{ login_name: string }>`
      update sys_user set
        -- Another user may have taken the name since.
        login_name = case when exists (select from sys_user o
          where o.login_name = ${change.old_login_name} and o.id <> ${change.user_id})
          then login_name else ${change.old_login_name} end,
        phone = ${change.old_phone}, email = ${change.old_email},
        phone_confirmed_at = ${change.old_phone_confirmed_at},
        email_confirmed_at = ${change.old_email_confirmed_at}, updated_at = now()
      where id = ${change.user_id} returning login_name`.execute(trx);
    // The code of a later change was sent to whom this one had put in place.
    await sql`update contact_change set used_at = now()
      where user_id = ${change.user_id} and id >= ${change.id} and used_at is null`.execute(trx);
    await trx.deleteFrom("session").where("user_id", "=", change.user_id).execute();
    const revoked = await revokeKeysOf(trx, change.user_id);
    const person = { userId: change.user_id, enterpriseId: change.enterprise_id };
    await notifyUser(trx, person, "contactRestored", facts.address);
    const by = {
      user_id: change.user_id,
      login_name: restored[0]?.login_name ?? change.old_login_name,
      action: "auth.undoContact",
      address: facts.address,
      request_id: facts.requestId,
    };
    const now = {
      loginName: restored[0]?.login_name,
      phone: change.old_phone,
      email: change.old_email,
    };
    const account = {
      resource: "user",
      rowId: change.user_id,
      enterpriseId: change.enterprise_id,
      old: null,
      new: now,
    };
    await recordByCode(trx, by, account, revoked);
    return null;
  });
}
