import type { loginRecordList, operaRecordList } from "@weft/contract/domains/access/record.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { fieldText, valueText } from "@weft/contract/value-texts.ts";
import { useTexts } from "#client/texts.ts";
import { operationMessages } from "#domains/access/parts/operations/messages.ts";
import { listChange } from "./list-change.ts";
import { recordMessages } from "./messages.ts";

export type Operation = OutputOf<typeof operaRecordList>[number];
export type LogIn = OutputOf<typeof loginRecordList>[number];
export type Change = Operation["changes"][number];

/** Texts of this folder. */
export const useRecordTexts = () => useTexts(recordMessages, operationMessages);
export type RecordTexts = ReturnType<typeof useRecordTexts>;

/** The name of the row, or its number if it has no name. */
export const rowText = ({ rowName, rowId }: Operation, t: RecordTexts): string =>
  rowName || (rowId === null ? t("missing") : t("record.rowId", { id: rowId }));

interface ValueTexts {
  readonly old: string;
  readonly new: string;
  /** True: added and removed items instead of the whole values. */
  readonly isList: boolean;
}

/** Old and new value of a change as text; for lists only the items added and removed. */
export const valueTexts = (change: Change, t: RecordTexts): ValueTexts => {
  const { field } = change;
  const plain = (value: unknown): string => valueText(field, value, t.language);
  const isList = Array.isArray(change.old) || Array.isArray(change.new);
  if (!isList) return { old: plain(change.old), new: plain(change.new), isList };
  const { gone, come } = listChange(change.old, change.new);
  const say = (sign: string, values: readonly unknown[]): string =>
    values.map((value) => `${sign} ${plain(value)}`).join(", ") || t("missing");
  return { old: say("−", gone), new: say("+", come), isList };
};

/** One change in one line: old and new value, for lists the items added and removed. */
const changeText = (change: Change, t: RecordTexts): string => {
  const field = fieldText(change.field, t.language);
  const { old, new: now, isList } = valueTexts(change, t);
  if (!isList) return t("record.oneChange", { field, old, new: now });
  const moved = [old, now].filter((text) => text !== t("missing"));
  return t("record.listChange", { field, moved: moved.join(", ") });
};

/** The first change and the number of further ones, in one line. */
export const changesText = ({ changes }: Operation, t: RecordTexts): string | null => {
  const [first, ...others] = changes;
  if (!first) return null;
  const one = changeText(first, t);
  return others.length > 0 ? t("record.more", { first: one, count: others.length }) : one;
};
