import { randomInt } from "node:crypto";

/** What a code is for: a login, a recovery over one of two ways, or the proof of an address. */
export type CodePurpose = "login" | "phone" | "email" | "confirmPhone" | "confirmEmail";

/** So long a code counts, in minutes. */
export const codeMinutes = 5;
/** So often one code may be tried: five guesses at a million. */
export const codeTries = 5;

/** Codes that were asked for lately: of one target, by one place, or both. */
export interface Asked {
  /** Within the hour. */
  readonly count: number;
  /** Seconds since the last and since the first of them; null: there is none. */
  readonly lastAgo: number | null;
  readonly firstAgo: number | null;
}

interface AskLaw {
  readonly pauseSeconds: number;
  readonly hourly: number;
}

const hour = 3600;

/** Text messages cost money and nerves: of one place one a minute to one number, five an hour. */
export const targetLaw: AskLaw = { pauseSeconds: 60, hourly: 5 };
/** To one number from everywhere. Places from which its accounts were logged in to are exempt: strangers must not use it up for them. */
const strangersLaw: AskLaw = { pauseSeconds: 0, hourly: 15 };
/** An office shares an address. */
export const askerLaw: AskLaw = { pauseSeconds: 0, hourly: 30 };

/** Whole seconds until the next code may be asked for; 0: now. */
export function secondsToAsk({ count, lastAgo, firstAgo }: Asked, law: AskLaw): number {
  if (lastAgo === null || firstAgo === null) return 0;
  const full = count >= law.hourly ? hour - firstAgo : 0;
  return Math.max(0, Math.ceil(law.pauseSeconds - lastAgo), Math.ceil(full));
}

/** What is known when a code is asked for. */
export interface AskHistory {
  /** Of the target, from the place of the call. */
  readonly own: Asked;
  /** Of the target, from everywhere. */
  readonly target: Asked;
  /** Of all targets, from the place of the call. */
  readonly place: Asked;
  /** An account that the target reaches was logged in to from the place. */
  readonly isKnownPlace: boolean;
}

/** Whole seconds until this code may be asked for; 0: now. Who asks from elsewhere delays nobody at a place of the account. */
export function secondsToCode({ own, target, place, isKnownPlace }: AskHistory): number {
  const here = Math.max(secondsToAsk(own, targetLaw), secondsToAsk(place, askerLaw));
  return isKnownPlace ? here : Math.max(here, secondsToAsk(target, strangersLaw));
}

/** Six digits, each as likely as the others. */
export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, "0");
