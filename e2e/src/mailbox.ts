/** Where messages of an installation arrive: a mail server and a gateway for text messages. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface Mailbox {
  /** Settings of the installation whose messages these are. */
  readonly env: Readonly<Record<string, string>>;
  /** The six digits of the newest message; waits for one that came after the last asked for. */
  nextCode(): Promise<string>;
  /** Drops messages that an earlier test did not read. */
  clear(): void;
  close(): Promise<void>;
}

/** Only ends what hangs. */
const patienceMs = 60_000;

const decoded = (raw: string): string => {
  const [, text = ""] = raw.split("\r\n\r\n");
  return /transfer-encoding: base64/i.test(raw) ? Buffer.from(text, "base64").toString() : text;
};

/** Starts both on loopback. */
export async function openMailbox(): Promise<Mailbox> {
  const texts: string[] = [];
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onData(stream, _, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        texts.push(decoded(Buffer.concat(parts).toString()));
        done();
      });
    },
  });
  const gateway = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      texts.push((JSON.parse(Buffer.concat(parts).toString()) as { text: string }).text);
      response.end();
    });
  });
  smtp.listen(0, "127.0.0.1");
  gateway.listen(0, "127.0.0.1");
  await Promise.all([once(smtp.server, "listening"), once(gateway, "listening")]);
  const portOf = (server: { address(): unknown }): number => (server.address() as AddressInfo).port;
  return {
    env: {
      WEFT_SMTP_URL: `smtp://127.0.0.1:${portOf(smtp.server)}`,
      WEFT_SMS_URL: `http://127.0.0.1:${portOf(gateway)}/send`,
    },
    async nextCode() {
      const end = Date.now() + patienceMs;
      while (texts.length === 0) {
        if (Date.now() > end) throw new Error("no message came");
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const code = /\b(\d{6})\b/.exec(texts.shift() ?? "")?.[1];
      if (!code) throw new Error("a message without a code");
      return code;
    },
    clear() {
      texts.length = 0;
    },
    async close() {
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
      gateway.closeAllConnections();
      await new Promise((resolve) => gateway.close(resolve));
    },
  };
}
