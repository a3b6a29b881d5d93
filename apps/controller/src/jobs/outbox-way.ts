/** How one message leaves: what every channel has in common. */

/** A message as it leaves. */
export interface Outgoing {
  readonly id: number;
  /** The same at each attempt and replay, so that a receiver can recognize a repetition. */
  readonly key: string;
  readonly recipient: string;
  /** Secret for the signature; null: there is none. */
  readonly secret: string | null;
  readonly subject: string;
  readonly body: string;
}

/** What a receiver answered; `status`: HTTP status or SMTP code, null: there was no answer. */
export interface Answer {
  readonly status: number | null;
  readonly text: string;
}

interface Failure extends Partial<Answer> {
  /** Ms before which the receiver takes no further message. */
  readonly retryAfterMs?: number;
}

/** Why a message did not leave; `isFinal`: the same message will never be taken. */
export class OutboxError extends Error {
  readonly isFinal: boolean;
  readonly answer: Answer;
  readonly retryAfterMs: number;

  constructor(message: string, isFinal: boolean, failure: Failure = {}) {
    super(message);
    this.name = "OutboxError";
    this.isFinal = isFinal;
    this.answer = { status: failure.status ?? null, text: failure.text ?? message };
    this.retryAfterMs = failure.retryAfterMs ?? 0;
  }
}

/** Sends one message. @throws OutboxError */
export type Way = (outgoing: Outgoing) => Promise<Answer>;

/** What a header, or a line of a log, may not hold: a line break there would begin another. */
export const oneLine = (text: string): string =>
  text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
