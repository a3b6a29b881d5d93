/** A real mail server and a real gateway for text messages, on loopback. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

export interface Mail {
  readonly to: readonly string[];
  /** As it came over the wire: headers, a blank line, the text. */
  readonly raw: string;
}

export interface Sms {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: { readonly id: string; readonly to: string; readonly text: string };
}

export interface OutboxServers {
  readonly smtpUrl: string;
  readonly hookNetworks: readonly string[];
  readonly smsUrl: string;
  readonly mails: Mail[];
  readonly messages: Sms[];
  /** Answers of the gateway for the next requests; then 200. */
  readonly smsAnswers: number[];
  /** Answers of the mail server to the next recipients; then it takes them. */
  readonly smtpAnswers: number[];
  close(): Promise<void>;
}

const smtpUser = { user: "weft", pass: "mail-Secret" };

/** Starts both; the mail server asks for user and password. */
export async function outboxServers(): Promise<OutboxServers> {
  const mails: Mail[] = [];
  const messages: Sms[] = [];
  const smsAnswers: number[] = [];
  const smtpAnswers: number[] = [];
  const smtp = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    authMethods: ["PLAIN", "LOGIN"],
    onAuth({ username, password }, _, done) {
      const fits = username === smtpUser.user && password === smtpUser.pass;
      done(fits ? null : new Error("no"), fits ? { user: username } : undefined);
    },
    onRcptTo(_address, _, done) {
      const code = smtpAnswers.shift();
      done(code === undefined ? null : Object.assign(new Error("not now"), { responseCode: code }));
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, raw: Buffer.concat(parts).toString() });
        done();
      });
    },
  });
  smtp.on("error", () => undefined);
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
  const gateway = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const answer = smsAnswers.shift() ?? 200;
      const body = JSON.parse(Buffer.concat(parts).toString()) as Sms["body"];
      messages.push({ headers: request.headers, body });
      response.writeHead(answer, answer === 302 ? { location: "/elsewhere" } : {}).end();
    });
  });
  gateway.listen(0, "127.0.0.1");
  await once(gateway, "listening");
  const smtpPort = (smtp.server.address() as AddressInfo).port;
  const smsPort = (gateway.address() as AddressInfo).port;
  return {
    smtpUrl: `smtp://${smtpUser.user}:${smtpUser.pass}@127.0.0.1:${smtpPort}?ignoreTLS=true`,
    hookNetworks: ["127.0.0.0/8"],
    smsUrl: `http://127.0.0.1:${smsPort}/send`,
    mails,
    messages,
    smsAnswers,
    smtpAnswers,
    async close() {
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
      gateway.closeAllConnections();
      await new Promise((resolve) => gateway.close(resolve));
    },
  };
}

/** The code in a message. */
export const codeIn = (text: string): string => /\b(\d{6})\b/.exec(text)?.[1] ?? "no code";
