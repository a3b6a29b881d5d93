/** Robots of chats and webhooks: the form of a message for each, its signature, and the answer that refuses it. */
import { createHmac } from "node:crypto";
import type { HookChannel } from "@weft/contract/domains/notifications/channels.ts";
import { secretPrefix } from "@weft/contract/domains/notifications/webhook.ts";
import type { HookAnswer, HookRequest, Post } from "./hook-request.ts";
import { type Answer, OutboxError, type Outgoing, oneLine, type Way } from "./outbox-way.ts";

const maxAnswer = 500;
const maxRetryAfterMs = 3_600_000;
const json = { "content-type": "application/json; charset=utf-8", "user-agent": "Weft" };

const hmac = (key: string | Buffer, text: string): string =>
  createHmac("sha256", key).update(text).digest("base64");

/** One text out of both parts: a robot's message has no subject. */
const wholeText = ({ subject, body }: Outgoing): string =>
  subject === "" ? body : `${subject}\n${body}`;

/** DingTalk: milliseconds and the signature are in the address; the secret is key and part of the text. */
function dingtalkRequest(outgoing: Outgoing, now: number): HookRequest {
  const url = new URL(outgoing.recipient);
  const { secret } = outgoing;
  if (secret !== null) {
    url.searchParams.set("timestamp", String(now));
    url.searchParams.set("sign", hmac(secret, `${now}\n${secret}`));
  }
  // Plain text: a name of a device makes no link and mentions no one.
  const body = { msgtype: "text", text: { content: wholeText(outgoing) }, at: { isAtAll: false } };
  return { url: url.href, headers: json, body: JSON.stringify(body) };
}

/** WeChat Work: the key is in the address. */
const wechatRequest = (outgoing: Outgoing): HookRequest => ({
  url: outgoing.recipient,
  headers: json,
  body: JSON.stringify({ msgtype: "text", text: { content: wholeText(outgoing) } }),
});

/** Feishu: seconds and the signature are in the body; key is time and secret, and the text is empty. */
function feishuRequest(outgoing: Outgoing, now: number): HookRequest {
  const timestamp = String(Math.floor(now / 1000));
  const { secret, subject, body } = outgoing;
  // A rich text, of which no part is read as markup: a plain one may call people by tags.
  const content = body.split("\n").map((text) => [{ tag: "text", text }]);
  const message = {
    ...(secret !== null && { timestamp, sign: hmac(`${timestamp}\n${secret}`, "") }),
    msg_type: "post",
    content: { post: { zh_cn: { title: subject, content } } },
  };
  return { url: outgoing.recipient, headers: json, body: JSON.stringify(message) };
}

/** A webhook, as www.standardwebhooks.com defines it. */
function webhookRequest({ recipient, secret, key, body }: Outgoing, now: number): HookRequest {
  const timestamp = String(Math.floor(now / 1000));
  const signed = secret !== null && {
    "webhook-signature": `v1,${hmac(keyOf(secret), `${key}.${timestamp}.${body}`)}`,
  };
  const headers = { ...json, "webhook-id": key, "webhook-timestamp": timestamp, ...signed };
  return { url: recipient, headers, body };
}

const keyOf = (secret: string): Buffer =>
  secret.startsWith(secretPrefix)
    ? Buffer.from(secret.slice(secretPrefix.length), "base64")
    : Buffer.from(secret);

/** Body of a robot's answer. */
interface Verdict {
  readonly code: number;
  readonly text: string;
}

/** Ms that robots want no message for after too many: DingTalk bans for ten minutes, the others for one. */
const tooOften: Readonly<Record<number, number>> = {
  130101: 600_000,
  45009: 60_000,
  11232: 60_000,
  9499: 60_000,
};

const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;

/** DingTalk and WeChat Work: `errcode`; Feishu: `code`, or `StatusCode` from its older robots. */
function verdictIn(body: string): Verdict | null {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return null;
  }
  const code = ["errcode", "code", "StatusCode"].map((name) => field(answer, name));
  const known = code.find((one) => typeof one === "number");
  const text = ["errmsg", "msg", "StatusMessage"].map((name) => field(answer, name));
  if (known === undefined) return null;
  return { code: known, text: String(text.find((one) => typeof one === "string") ?? "") };
}

/** Robots answer 200 for a message that they did not take. */
function refuseByBody({ status, body }: HookAnswer): void {
  const verdict = verdictIn(body);
  const answer = { status, text: shown(body) };
  if (verdict === null) throw new OutboxError("the robot's answer is not known", false, answer);
  const { code, text } = verdict;
  if (code === 0) return;
  const reason = oneLine(`the robot answered ${code}: ${text}`).slice(0, 300);
  // Keywords, signatures and addresses may be corrected: it is tried again while it is worth something.
  throw new OutboxError(reason, false, { ...answer, retryAfterMs: tooOften[code] ?? 0 });
}

const shown = (body: string): string => oneLine(body).slice(0, maxAnswer);

/** Ms that a receiver asks for; 0: it asks for none. */
function retryAfterMs(value: string | null, now: number): number {
  if (value === null) return 0;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isFinite(ms) ? Math.min(maxRetryAfterMs, Math.max(0, ms)) : 0;
}

interface Hook {
  readonly request: (outgoing: Outgoing, now: number) => HookRequest;
  /** Whether the body of the answer decides; else its status does. */
  readonly answersInBody: boolean;
}

/** Decided for every channel of this kind. */
const hooks: Readonly<Record<HookChannel, Hook>> = {
  dingtalk: { request: dingtalkRequest, answersInBody: true },
  wechat: { request: wechatRequest, answersInBody: true },
  feishu: { request: feishuRequest, answersInBody: true },
  webhook: { request: webhookRequest, answersInBody: false },
};

/** @throws OutboxError of a request that was not accepted */
export function hookWay(channel: HookChannel, post: Post): Way {
  const { request, answersInBody } = hooks[channel];
  return async (outgoing): Promise<Answer> => {
    const now = Date.now();
    const answer = await post(request(outgoing, now));
    const { status, body } = answer;
    if (status < 200 || status > 299) {
      // 410: the receiver is gone permanently (RFC 9110, 15.5.11); any other may be repaired.
      throw new OutboxError(`the receiver answered ${status}`, status === 410, {
        status,
        text: shown(body),
        retryAfterMs: retryAfterMs(answer.retryAfter, now),
      });
    }
    if (answersInBody) refuseByBody(answer);
    return { status, text: shown(body) };
  };
}
