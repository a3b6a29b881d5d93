import { setTimeout as pause } from "node:timers/promises";
import type {
  sendSms,
  sendSmsByEmail,
  sendSmsByPhone,
} from "@weft/contract/domains/access/login.ts";
import type { InputOf, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { defineMessages, formatMessage, type Language } from "@weft/contract/kernel/message.ts";
import type { Api, RequestFacts } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import type { OutboxMessage } from "#outbox/enqueue.ts";
import { codeMinutes, newCode, recipientLimit } from "./code-rules.ts";
import { keepCode, type Reached } from "./code-store.ts";
import { checkPassword, checks, unknownCallerAt } from "./login.ts";
import { hashPassword } from "./password.ts";
import { setTryReason } from "./store.ts";
import { hashToken, newToken } from "./token.ts";

/**
 * Answers after the same time whatever the work found: done or refused, the answer comes no sooner
 * than this many ms after the start. For calls that strangers can ask about accounts.
 * @param passed resolves after that time
 */
export async function inConstantTime<T>(
  ms: number,
  work: () => Promise<T>,
  passed: (ms: number) => Promise<unknown> = pause,
): Promise<T> {
  const over = passed(ms);
  try {
    return await work();
  } finally {
    await over;
  }
}

const texts = defineMessages({
  login: [
    "{site}：登录验证码 {code}，{minutes} 分钟内有效。不是您本人操作时请修改密码",
    "{site}: {code} is your login code, valid for {minutes} minutes. If you did not ask for it, change your password",
  ],
  recover: [
    "{site}：找回密码验证码 {code}，{minutes} 分钟内有效，账号 {names}。不是您本人操作时忽略即可",
    "{site}: {code} is your code for a new password, valid for {minutes} minutes, account {names}. If you did not ask for it, ignore it",
  ],
  subject: ["找回密码验证码", "Code for a new password"],
});

/** No answer about an account comes sooner; the work takes about a tenth of it. */
const answerMs = 400;

const timing = { again: recipientLimit.pauseSeconds, valid: codeMinutes * 60 };

const unreachable = (): never =>
  refuse("notAllowedNow", {
    reason: ["本站未配置此发送方式", "this site cannot send messages by this channel"],
  });

/** A message with a code; `how` has channel and recipient. */
const messageOf = (
  body: string,
  people: readonly Reached[],
  { channel, recipient, subject }: { channel: "mail" | "sms"; recipient: string; subject?: string },
): OutboxMessage | null => {
  const [first] = people;
  if (!first) return null;
  const { enterprise_id: enterpriseId } = first;
  const validMinutes = codeMinutes;
  return {
    enterpriseId,
    channel,
    recipient,
    body,
    validMinutes,
    ...(subject !== undefined && { subject }),
  };
};

/** Sends a login code. A wrong password is refused as a login refuses it, and counts as one. */
export async function sendLoginCode(
  api: Api,
  { username, password, device }: InputOf<typeof sendSms>,
  facts: RequestFacts,
): Promise<OutputOf<typeof sendSms>> {
  if (!api.site.loginSms) unreachable();
  return inConstantTime(answerMs, async () => {
    const checked = await checkPassword(api, { loginName: username, password, device }, facts);
    await setTryReason(api.pools, checked.recordId, "pending");
    const code = newCode();
    await keepCode(api.pools, {
      purpose: "login",
      target: username,
      address: facts.address,
      ticketHash: null,
      codeHash: await hashPassword(code),
      message: (people) => {
        const recipient = people[0]?.phone;
        const params = { site: api.site.title(facts.language), code, minutes: codeMinutes };
        const body = formatMessage(texts.login, facts.language, params);
        return recipient ? messageOf(body, people, { channel: "sms", recipient }) : null;
      },
    });
    return timing;
  });
}

interface Way {
  readonly purpose: "phone" | "email";
  /** As accounts are looked up by it. */
  readonly target: string;
  readonly channel: "mail" | "sms";
}

const recoveryText = (
  api: Api,
  language: Language,
  code: string,
  people: readonly Reached[],
): string =>
  formatMessage(texts.recover, language, {
    site: api.site.title(language),
    code,
    minutes: codeMinutes,
    names: people.map((person) => person.login_name).join(", "),
  });

function sendRecoveryCode(api: Api, way: Way, { address, language }: RequestFacts) {
  return inConstantTime(answerMs, () =>
    checks.run(unknownCallerAt(address), async () => {
      const code = newCode();
      const ticket = newToken();
      await keepCode(api.pools, {
        purpose: way.purpose,
        target: way.target,
        address,
        ticketHash: hashToken(ticket),
        codeHash: await hashPassword(code),
        message: (people) =>
          messageOf(recoveryText(api, language, code, people), people, {
            channel: way.channel,
            // What is kept with the account: not what a stranger typed.
            recipient: (way.channel === "sms" ? people[0]?.phone : people[0]?.email) ?? "",
            ...(way.channel === "mail" && { subject: formatMessage(texts.subject, language) }),
          }),
      });
      return { ...timing, ticket };
    }),
  );
}

/** Sends a recovery code to a number, if anybody has it. */
export async function sendCodeByPhone(
  api: Api,
  { phone }: InputOf<typeof sendSmsByPhone>,
  facts: RequestFacts,
): Promise<OutputOf<typeof sendSmsByPhone>> {
  if (!api.site.sendsSms) unreachable();
  return sendRecoveryCode(api, { purpose: "phone", target: phone, channel: "sms" }, facts);
}

/** Sends a recovery code to an address, if anybody has it. */
export async function sendCodeByEmail(
  api: Api,
  { email }: InputOf<typeof sendSmsByEmail>,
  facts: RequestFacts,
): Promise<OutputOf<typeof sendSmsByEmail>> {
  if (!api.site.sendsMail) unreachable();
  const target = email.toLowerCase();
  return sendRecoveryCode(api, { purpose: "email", target, channel: "mail" }, facts);
}
