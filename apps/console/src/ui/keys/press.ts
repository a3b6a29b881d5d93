/** Which key of the table was pressed, and whether it is meant. */
import { type Key, type KeyId, keyIds, keyTable, leader } from "./key-table.ts";

/** What is read of a `KeyboardEvent`. */
export type Pressed = Pick<
  KeyboardEvent,
  "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "isComposing"
>;

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

/** What stands for a press in the table; null: nothing there is pressed so. */
const pressOf = (event: Pressed, mac: boolean): string | null => {
  const isHeld = mac ? event.metaKey : event.ctrlKey;
  const isOther = event.altKey || (mac ? event.ctrlKey : event.metaKey);
  if (event.isComposing || isOther) return null;
  const isLetter = /^[a-z]$/i.test(event.key);
  // Caps Lock is no wish; a sign is where its keyboard has it, with Shift or without.
  if (event.shiftKey && (isLetter || event.key.length > 1 || isHeld)) return null;
  const key = isLetter ? event.key.toLowerCase() : event.key;
  return isHeld ? `Mod ${key}` : key;
};

/** The key of the table that was pressed; null: none. @param mac whether ⌘ stands for Ctrl */
export const keyOf = (event: Pressed, mac: boolean = isMac()): KeyId | null => {
  const press = pressOf(event, mac);
  return keyIds.find((id) => (keyTable[id] as Key).press.includes(press ?? "")) ?? null;
};

/** One character without a modifier key: what the switch turns off. */
export const isSingle = (id: KeyId): boolean =>
  (keyTable[id] as Key).press.every((press) => press.length === 1 && press !== " ");

/** A letter after the leader counts for this long, in ms. */
const leaderMs = 1_500;

/**
 * Follows the leader and the letter after it.
 * @returns for each press and its moment (ms): the letter that was led, "" for the leader itself,
 * null where neither is meant
 */
export const leads = (): ((event: Pressed, now: number, mac?: boolean) => string | null) => {
  let ledAt = Number.NEGATIVE_INFINITY;
  return (event, now, mac = isMac()) => {
    const press = pressOf(event, mac);
    const isLed = now - ledAt < leaderMs;
    ledAt = Number.NEGATIVE_INFINITY;
    if (isLed && press !== null && /^[a-z]$/.test(press)) return press;
    if (press !== leader) return null;
    ledAt = now;
    return "";
  };
};

const names: Readonly<Record<string, string>> = {
  " ": "Space",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
};

/** What is written on the keys of a press: "Mod k" is Ctrl and K. */
export const capsOf = (press: string, mac: boolean = isMac()): readonly string[] => {
  if (press in names) return [names[press] ?? press];
  const [held, key = ""] = press.split(" ");
  return held === "Mod" ? [mac ? "⌘" : "Ctrl", key.toUpperCase()] : [press];
};
