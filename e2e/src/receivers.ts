/** A DingTalk robot, a WeChat Work robot and a webhook, as servers on loopback that check what they get. */
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Receivers {
  readonly dingtalk: string;
  readonly wechat: string;
  readonly webhook: string;
  /** Accepted messages. */
  readonly taken: { readonly by: string; readonly body: string }[];
  close(): Promise<void>;
}

export const robotSecret = "SEC0123456789";
const hmac = (key: string | Buffer, text: string): string =>
  createHmac("sha256", key).update(text).digest("base64");

interface Received {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What each receiver answers: [status, body]. */
const receivers: Readonly<
  Record<string, (received: Received, secret: string) => readonly [number, string]>
> = {
  dingtalk({ url }) {
    const [timestamp, sign] = [url.searchParams.get("timestamp"), url.searchParams.get("sign")];
    return hmac(robotSecret, `${timestamp}\n${robotSecret}`) === sign
      ? [200, '{"errcode":0,"errmsg":"ok"}']
      : [200, '{"errcode":310000,"errmsg":"sign not match"}'];
  },
  wechat: ({ url }) =>
    url.searchParams.get("key") === "k1"
      ? [200, '{"errcode":0,"errmsg":"ok"}']
      : [200, '{"errcode":93000,"errmsg":"invalid webhook url"}'],
  webhook({ headers, body }, secret) {
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    return headers["webhook-signature"] === `v1,${hmac(key, signed)}`
      ? [200, "thank you"]
      : [401, "bad signature"];
  },
};

/** @param secretOf that of the webhook, once it is known */
export async function openReceivers(secretOf: () => string): Promise<Receivers> {
  const taken: { by: string; body: string }[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const url = new URL(request.url ?? "/", "http://127.0.0.1");
      const by = url.pathname.split("/")[1] ?? "";
      const body = Buffer.concat(parts).toString();
      const headers = request.headers as Record<string, string>;
      const [status, answer] = receivers[by]?.({ url, headers, body }, secretOf()) ?? [404, ""];
      if (status === 200 && !answer.includes('errcode":3')) taken.push({ by, body });
      response.writeHead(status).end(answer);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    dingtalk: `${origin}/dingtalk/send?access_token=t1`,
    wechat: `${origin}/wechat/send?key=k1`,
    webhook: `${origin}/webhook/weft`,
    taken,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
