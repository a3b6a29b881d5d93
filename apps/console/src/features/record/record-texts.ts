import type { loginRecordList, operaRecordList } from "@weft/contract/calls/records.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { formatMessage, type Language } from "@weft/contract/kernel/message.ts";
import { findMessage } from "@weft/contract/messages.ts";
import { useTexts } from "#kernel/texts.ts";
import { recordMessages } from "./messages.ts";

export type Operation = OutputOf<typeof operaRecordList>[number];
export type LogIn = OutputOf<typeof loginRecordList>[number];
export type Change = Operation["changes"][number];

/** Texts of this folder. */
export const useRecordTexts = () => useTexts(recordMessages);
export type RecordTexts = ReturnType<typeof useRecordTexts>;

type Key = keyof typeof recordMessages;
const isKey = (key: string): key is Key => Object.hasOwn(recordMessages, key);

const MODULE = "record.module.";
/** Objects that the log can be narrowed to. */
export const modules = Object.keys(recordMessages)
  .filter((key) => key.startsWith(MODULE))
  .map((key) => key.slice(MODULE.length));

/** What kind of thing an operation was about; the wire's own word where we have no other. */
export const moduleText = (module: string, t: RecordTexts): string => {
  const key = `${MODULE}${module}`;
  return isKey(key) ? t(key) : module;
};

/** What was done, by the last word of the call's id: "role.saveMenus". */
export const actionText = (action: string, t: RecordTexts): string => {
  const key = `record.action.${action.slice(action.indexOf(".") + 1)}`;
  return isKey(key) ? t(key) : action;
};

/** What the row is called; its number where it has no name. */
export const rowText = ({ rowName, rowId }: Operation, t: RecordTexts): string =>
  rowName || (rowId === null ? t("missing") : t("record.rowId", { id: rowId }));

/** What a field is called. Some rows are recorded by their columns: enterprise_id. */
export const fieldText = (field: string, language: Language): string => {
  const camel = field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const message = findMessage(`field.${field}`) ?? findMessage(`field.${camel}`);
  return message ? formatMessage(message, language) : field;
};

/** A recorded value as people read it: codes and flags by their words, lists with commas. */
export const valueText = ({ field }: Change, value: unknown, t: RecordTexts): string => {
  if (value === null || value === "") return t("record.nothing");
  if (value === "[redacted]") return t("record.redacted");
  if (Array.isArray(value)) return value.length > 0 ? value.join(", ") : t("record.nothing");
  if (typeof value === "boolean") return t.code("flag", value);
  if (typeof value === "object") return JSON.stringify(value);
  const word = findMessage(`enum.${field}.${value}`);
  return word ? formatMessage(word, t.language) : String(value);
};

/** The first change and how many more there are, in one line. */
export const changesText = ({ changes }: Operation, t: RecordTexts): string | null => {
  const [first] = changes;
  if (!first) return null;
  const one = t("record.oneChange", {
    field: fieldText(first.field, t.language),
    old: valueText(first, first.old, t),
    new: valueText(first, first.new, t),
  });
  const count = changes.length - 1;
  return count > 0 ? t("record.more", { first: one, count }) : one;
};
