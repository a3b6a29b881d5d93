/** What single values of settings mean; settings.ts names the setting that is wrong. */
import { parsePrefix, prefixText } from "@weft/contract/rules/address.ts";
import { isPassword } from "@weft/contract/rules/text.ts";
import { isWeakPassword } from "@weft/contract/rules/weak-password.ts";

/** `wss://host:port` of what devices connect to; null: this is none. */
export function secureAddress(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "wss:" && url.hostname !== "" ? `wss://${url.host}` : null;
}

/** Parts of a list, separated by commas. */
export const partsOf = (text: string | undefined): string[] =>
  text?.split(",").map((part) => part.trim()) ?? [];

/** A prefix, or an address as the prefix of itself; null: this is neither. */
export function networkIn(text: string): string | null {
  const whole = prefixText(text);
  return parsePrefix(whole) ? whole : null;
}

/** Why the first administrator must not have this password; null: it may. */
export function faultOfPassword(password: string, isDemonstration: boolean): string | null {
  if (!isPassword(password)) return "5 to 12 characters, no white space";
  const isWeak = !isDemonstration && isWeakPassword(password, ["admin"]);
  return isWeak ? "too easy to guess" : null;
}
