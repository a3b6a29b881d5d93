import { createTransport } from "nodemailer";
import { OutboxError, oneLine, type Way } from "./outbox-way.ts";

/** How messages leave this installation; an absent way: it is not set up. */
export interface OutboxSettings {
  /** smtp:// or smtps://, with user and password if the server requires them. */
  readonly smtpUrl: string | undefined;
  /** Sender of mails. */
  readonly mailFrom: string;
  readonly smsUrl: string | undefined;
  readonly smsToken: string | undefined;
  /** Networks besides the public ones to which robots and webhooks may lead, as prefixes. */
  readonly hookNetworks: readonly string[];
}

export const timeoutMs = 15_000;

/** Mails by SMTP. One address per message, never read as a list. */
export function mailWay(url: string, from: string): Way & { close(): void } {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // A message is its text: nothing in it names a file or an address to be fetched.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const send: Way = async ({ id, recipient, subject, body }) => {
    if (recipient !== oneLine(recipient) || /[\s,;<>"]/.test(recipient)) {
      throw new OutboxError("the recipient is no single address", true);
    }
    const { response } = await transport
      .sendMail({
        from,
        to: { name: "", address: recipient },
        subject: oneLine(subject),
        text: body,
        headers: { "Auto-Submitted": "auto-generated", "X-Weft-Letter": String(id) },
      })
      .catch((error: { message: string; responseCode?: number; code?: string }) => {
        const { responseCode = 0 } = error;
        const text = oneLine(error.message).slice(0, 300);
        // 5yz is permanent (RFC 5321 section 4.2.1), but credentials may be corrected.
        const isFinal = responseCode >= 500 && error.code !== "EAUTH";
        throw new OutboxError(text, isFinal, { status: responseCode || null, text });
      });
    return { status: Number.parseInt(response, 10) || null, text: oneLine(response).slice(0, 300) };
  };
  return Object.assign(send, { close: () => transport.close() });
}

/** Text messages by an HTTP gateway of the operator (docs/operations.md says the request). */
export function smsWay(url: string, token: string | undefined): Way {
  return async ({ id, recipient, body }) => {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "idempotency-key": String(id),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ id: String(id), to: recipient, text: body }),
      // A gateway that sends us elsewhere is not the one that was set.
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: Error) => {
      throw new OutboxError(`the gateway did not answer: ${error.message}`, false);
    });
    await response.body?.cancel();
    const { status } = response;
    if (response.ok) return { status, text: "" };
    const mayPass = status >= 500 || [401, 403, 408, 425, 429].includes(status);
    throw new OutboxError(`the gateway answered ${status}`, !mayPass, { status });
  };
}
