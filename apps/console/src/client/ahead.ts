import type { Envelope } from "@weft/contract/kernel/endpoint.ts";

/** What came back for a request that was made with this token. */
export interface Received {
  readonly token: string | null;
  readonly envelope: Envelope;
}

interface Sent {
  readonly answer: Promise<Received>;
  /** Once it is there. */
  arrived: { readonly received: Received; readonly at: number } | null;
}

/** ms that an answer is kept: what a screen asks for later is to be as new as it asks. */
const keptMs = 10_000;

/** Requests that were sent before the screen was there that asks for them. */
const all = new Map<string, Sent>();

/** What is the same request: values that are empty say nothing, and their order neither. */
const keyOf = (path: string): string => {
  const { pathname, searchParams } = new URL(path, "http://here.invalid");
  const values = [...searchParams].filter(([, value]) => value !== "");
  return `${pathname}?${new URLSearchParams(values.toSorted(([a], [b]) => (a < b ? -1 : 1)))}`;
};

/** Keeps a request for the first call that makes the same. */
export const keepAhead = (path: string, answer: Promise<Received>): void => {
  const key = keyOf(path);
  const sent: Sent = { answer, arrived: null };
  all.set(key, sent);
  const forget = (): void => {
    if (all.get(key) === sent) all.delete(key);
  };
  answer.then((received) => {
    sent.arrived = { received, at: Date.now() };
    setTimeout(forget, keptMs);
    // It is asked again by the screen, which says what is wrong.
  }, forget);
};

/** The answer to a request that was sent ahead, which is given once. */
export const takeAhead = (path: string): Promise<Received> | undefined => {
  if (all.size === 0) return undefined;
  const key = keyOf(path);
  const sent = all.get(key);
  all.delete(key);
  return sent?.answer;
};

/** The same where the answer is there already; a call takes it up as ever otherwise. */
export const takeArrived = (path: string): Sent["arrived"] => {
  const key = keyOf(path);
  const arrived = all.get(key)?.arrived ?? null;
  if (arrived) all.delete(key);
  return arrived;
};

/** Whether any request waits to be taken up. */
export const isAnyAhead = (): boolean => all.size > 0;

/** What was read before something changed, or by another user, is no answer any more. */
export const forgetAhead = (): void => all.clear();
