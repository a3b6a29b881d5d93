/** Fields and values of the operation log as people read them. */
import { recordCodes, recordFields } from "@weft/contract/domains/access/record-fields.ts";
import { formatMessage, type Language } from "@weft/contract/kernel/message.ts";
import { perMegabit } from "@weft/contract/sheet-fields.ts";
import { fieldText, valueText } from "@weft/contract/value-texts.ts";
import type { Names } from "./references.ts";
import type { Difference } from "./rules.ts";

/** What one list has that another has not, both ways; anything but a list counts as an empty one. */
export function listChange(
  old: unknown,
  now: unknown,
): { readonly gone: readonly unknown[]; readonly come: readonly unknown[] } {
  const [before, after] = [asList(old), asList(now)];
  const without = (all: readonly unknown[], others: readonly unknown[]): unknown[] => {
    const known = new Set(others.map((one) => JSON.stringify(one)));
    return all.filter((one) => !known.has(JSON.stringify(one)));
  };
  return { gone: without(before, after), come: without(after, before) };
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A text in Chinese and English. */
export type Pair = [zh: string, en: string];

export const both = (textIn: (language: Language) => string): Pair => [
  textIn("zh_cn"),
  textIn("en_gb"),
];

/** "Static route" within a sentence; "CPE" and "LAN section" stay. */
export const inSentence = (title: string): string =>
  /^[A-Z][a-z]/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;

/** What a field of the log is called. */
export const fieldIn = (field: string, language: Language): string => {
  const message = Object.hasOwn(recordFields, field) ? recordFields[field] : undefined;
  return message ? formatMessage(message, language) : fieldText(field, language);
};

interface Stored {
  readonly module: string;
  readonly field: string;
  readonly value: unknown;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

/** One value as the forms show it: names for ids, labels for codes, rates in Mbit/s. */
export function shown(stored: Stored, names: Names, language: Language): string {
  const { module, field, value } = stored;
  const one = (inner: unknown, of = field): string =>
    shown({ module, field: of, value: inner }, names, language);
  const [comma, colon] = language === "zh_cn" ? ["、", "："] : [", ", ": "];
  if (Array.isArray(value)) {
    return value.map((each) => one(each)).join(comma) || valueText(field, null, language);
  }
  if (isObject(value)) {
    const inner = Object.entries(value).filter(([, each]) => each !== null && each !== "");
    return inner
      .map(([key, each]) => `${fieldIn(key, language)}${colon}${one(each, key)}`)
      .join(comma);
  }
  const rate = perMegabit(module, field);
  if (rate !== null && typeof value === "number") return `${value / rate} Mbit/s`;
  const code = `${module}.${field}`;
  const list = Object.hasOwn(recordCodes, code) ? (recordCodes[code] ?? field) : field;
  return names.of(field, value) ?? valueText(list, value, language);
}

export interface ReadableChange extends Difference {
  readonly name: Pair;
  readonly oldText: Pair;
  readonly newText: Pair;
}

/** A change with its field and values in both languages; of lists only what went and what came. */
export function readableChange(module: string, change: Difference, names: Names): ReadableChange {
  const { field } = change;
  const isList = Array.isArray(change.old) || Array.isArray(change.new);
  const { gone, come } = listChange(change.old, change.new);
  const textsOf = (value: unknown): Pair =>
    both((language) => shown({ module, field, value }, names, language));
  const listTexts = (values: readonly unknown[]): Pair =>
    values.length > 0 ? textsOf(values) : ["", ""];
  return {
    ...change,
    name: both((language) => fieldIn(field, language)),
    oldText: isList ? listTexts(gone) : textsOf(change.old),
    newText: isList ? listTexts(come) : textsOf(change.new),
  };
}

/** All that a write changed in one text, for a cell. */
export function changesText(changes: readonly ReadableChange[], language: Language): string {
  const at = language === "zh_cn" ? 0 : 1;
  return changes
    .map(({ name, oldText, newText, ...one }) =>
      Array.isArray(one.old) || Array.isArray(one.new)
        ? `${name[at]}: ${[oldText[at] && `− ${oldText[at]}`, newText[at] && `+ ${newText[at]}`].filter(Boolean).join(" ")}`
        : `${name[at]}: ${oldText[at]} → ${newText[at]}`,
    )
    .join("; ");
}
