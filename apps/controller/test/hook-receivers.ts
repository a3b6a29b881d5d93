/** Receivers of DingTalk, WeChat Work, Feishu and of webhooks, as real HTTP servers on loopback. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { Webhook } from "standardwebhooks";
import { createOutboxSender, type OutboxSender } from "#jobs/send-outbox.ts";
import type { TestApi } from "./api.ts";

export interface Received {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether its signature is right, by the receiver's own computation. */
  readonly isSigned: boolean;
}

/** What a receiver does with the next request; absent parts are as if all were well. */
export interface Reply {
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** It takes the request and never answers. */
  readonly hangs?: boolean;
}

/**
 * A sender of webhooks and of messages of robots alone, to receivers on loopback.
 * @param hookNetworks networks that are not of the internet, to which it may send
 * @param hookTimeoutMs that a receiver may hang
 */
export const hookSender = (
  api: TestApi,
  hookNetworks: readonly string[] = ["127.0.0.0/8"],
  hookTimeoutMs = 60_000,
): OutboxSender =>
  createOutboxSender(
    api.database.pools,
    {
      smtpUrl: undefined,
      mailFrom: "",
      smsUrl: undefined,
      smsToken: undefined,
      hookNetworks,
    },
    pino({ level: "silent" }),
    api.app.weft.vault,
    hookTimeoutMs,
  );

export interface HookReceivers {
  readonly origin: string;
  readonly dingtalk: string;
  readonly wechat: string;
  readonly feishu: string;
  readonly webhook: string;
  readonly received: Received[];
  /** For the next requests; then all is well. */
  readonly replies: Reply[];
  close(): Promise<void>;
}

export const hookSecrets = {
  dingtalk: "SECf00dcafe",
  feishu: "feishu-sign-1",
  webhook: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
} as const;
const token = "0f1e2d3c4b5a";

/** RFC 2104 out of the hash alone: no code of the sender is in it. */
function hmac(key: string, text: string): string {
  const block = Buffer.alloc(64);
  Buffer.from(key).copy(block);
  const pad = (byte: number) => Buffer.from(block.map((one) => one ^ byte));
  const hash = (...parts: Buffer[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
  return hash(pad(0x5c), hash(pad(0x36), Buffer.from(text))).toString("base64");
}

const isNow = (ms: number): boolean => Math.abs(Date.now() - ms) < 3_600_000;

interface Checked {
  readonly isSigned: boolean;
  /** What it answers. */
  readonly body: string;
}

/** https://open.dingtalk.com/document/robots/customize-robot-security-settings */
function asDingtalk(url: URL, body: string): Checked {
  const timestamp = url.searchParams.get("timestamp") ?? "";
  const expected = hmac(hookSecrets.dingtalk, `${timestamp}\n${hookSecrets.dingtalk}`);
  const isSigned = url.searchParams.get("sign") === expected && isNow(Number(timestamp));
  const { msgtype, text } = JSON.parse(body) as { msgtype: string; text: { content: string } };
  if (url.searchParams.get("access_token") !== token || msgtype !== "text" || !text.content) {
    return { isSigned, body: '{"errcode":40035,"errmsg":"invalid parameter"}' };
  }
  const [errcode, errmsg] = isSigned ? [0, "ok"] : [310000, "sign not match"];
  return { isSigned, body: JSON.stringify({ errcode, errmsg }) };
}

/** https://developer.work.weixin.qq.com/document/path/91770 */
function asWechat(url: URL, body: string): Checked {
  const { msgtype, text } = JSON.parse(body) as { msgtype: string; text: { content: string } };
  const isSigned = url.searchParams.get("key") === token;
  const fits = msgtype === "text" && Buffer.byteLength(text.content) <= 2048;
  const [errcode, errmsg] = !isSigned
    ? [93000, "invalid webhook url"]
    : fits
      ? [0, "ok"]
      : [40058, "text.content exceed max length 2048"];
  return { isSigned, body: JSON.stringify({ errcode, errmsg }) };
}

/** https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot */
function asFeishu(body: string): Checked {
  const message = JSON.parse(body) as { timestamp: string; sign: string; msg_type: string };
  const expected = hmac(`${message.timestamp}\n${hookSecrets.feishu}`, "");
  const isSigned = message.sign === expected && isNow(Number(message.timestamp) * 1000);
  const [code, msg] = isSigned
    ? [0, "success"]
    : [19021, "sign match fail or timestamp is not within one hour from current time"];
  return { isSigned, body: JSON.stringify({ code, msg, data: {} }) };
}

/** The library that www.standardwebhooks.com offers to receivers. */
function asWebhook(headers: Received["headers"], body: string): Checked {
  try {
    new Webhook(hookSecrets.webhook).verify(body, headers);
    return { isSigned: true, body: "accepted" };
  } catch {
    return { isSigned: false, body: "bad signature" };
  }
}

function check(url: URL, headers: Received["headers"], body: string): Checked {
  if (url.pathname.startsWith("/dingtalk")) return asDingtalk(url, body);
  if (url.pathname.startsWith("/wechat")) return asWechat(url, body);
  if (url.pathname.startsWith("/feishu")) return asFeishu(body);
  return asWebhook(headers, body);
}

export async function hookReceivers(): Promise<HookReceivers> {
  const received: Received[] = [];
  const replies: Reply[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const headers = request.headers as Record<string, string>;
    const checked = check(url, headers, body);
    received.push({ path: request.url ?? "", headers, body, isSigned: checked.isSigned });
    const reply = replies.shift() ?? {};
    if (reply.hangs) return;
    const refused = checked.isSigned || !url.pathname.startsWith("/webhook") ? 200 : 401;
    response.writeHead(reply.status ?? refused, reply.headers).end(reply.body ?? checked.body);
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => answer(request, response, Buffer.concat(parts).toString()));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    dingtalk: `${origin}/dingtalk/robot/send?access_token=${token}`,
    wechat: `${origin}/wechat/cgi-bin/webhook/send?key=${token}`,
    feishu: `${origin}/feishu/open-apis/bot/v2/hook/${token}`,
    webhook: `${origin}/webhook/weft`,
    received,
    replies,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
