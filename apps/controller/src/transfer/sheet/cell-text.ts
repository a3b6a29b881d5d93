/**
 * What a cell says of a value, and which value a cell stands for: codes by their labels, ids by the names
 * of their rows, rates in Mbit/s, moments in the reader's zone.
 */
import { formatMessage, type Language } from "@weft/contract/kernel/message.ts";
import type { RuleIssue } from "@weft/contract/kernel/rule.ts";
import type { ReferenceKind, SheetField } from "@weft/contract/sheet-fields.ts";
import { z } from "zod";
import type { Cell } from "./xlsx-writer.ts";

/** Moments in cells: `yyyy-MM-dd HH:mm:ss` on the clocks of one zone. */

const formats = new Map<string, Intl.DateTimeFormat>();
const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone);
  if (known) return known;
  // Swedish writes moments as yyyy-MM-dd HH:mm:ss.
  const made = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  formats.set(zone, made);
  return made;
};

export const momentText = (moment: Date, zone: string): string => formatOf(zone).format(moment);

/** What people and spreadsheets make of it: 2026/1/5 8:30, 2026-01-05. East of Greenwich the year 9999 ends in 10000. */
const written = /^(\d{4,5})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/** Year, month, day, hour, minute and second that clocks of a zone show; Date.parse reads no year after 9999. */
const shownAt = (moment: Date, zone: string): readonly number[] =>
  momentText(moment, zone).split(/[- :]/).map(Number);

/** Milliseconds since 1970 at which clocks of UTC show these parts; days that no month has become those of the next one. */
function inUtc([
  year = 0,
  month = 1,
  day = 1,
  hour = 0,
  minute = 0,
  second = 0,
]: readonly number[]) {
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day);
  return at.setUTCHours(hour, minute, second);
}

/** Milliseconds that the clocks of the zone are ahead of UTC at a moment. */
const aheadAt = (moment: number, zone: string): number =>
  inUtc(shownAt(new Date(moment), zone)) - Math.floor(moment / 1_000) * 1_000;

/**
 * The moment at which the clocks of the zone show it; of two, the earlier one. Null: the text is none,
 * or those clocks never show it.
 */
export function momentIn(text: string, zone: string): Date | null {
  const match = written.exec(text);
  if (!match) return null;
  const given = match.slice(1).map((part) => Number(part ?? 0));
  const wanted = given.join();
  const shown = inUtc(given);
  // A day that no month has, an hour that no day has became another one.
  if (shownAt(new Date(shown), "UTC").join() !== wanted) return null;
  const dayLong = 86_400_000;
  const moments = [-dayLong, dayLong]
    .map((away) => new Date(shown - aheadAt(shown + away, zone)))
    .filter((moment) => shownAt(moment, zone).join() === wanted)
    .sort((a, b) => a.getTime() - b.getTime());
  return moments[0] ?? null;
}

/** Whom a file is made for, or whose it was. */
export interface Reader {
  readonly language: Language;
  /** IANA name. */
  readonly zone: string;
}

/** Names of rows that cells name. */
export interface CellNames {
  /** A name, with the id behind it where several rows have it. */
  textOf(kind: ReferenceKind, id: number): string;
  /** The row that a text names; none, or how the several that it may mean are written. */
  find(kind: ReferenceKind, text: string): { readonly id: number } | { readonly among: string[] };
}

export type ReadCell =
  | { readonly ok: true; readonly wire: unknown }
  | { readonly ok: false; readonly issue: RuleIssue };

const between = ", ";
const parts = (text: string): string[] =>
  text
    .split(/[,，;；\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== "");

const labelOf = (field: SheetField, value: unknown, language: Language): string | null => {
  const label = field.labels.get(
    typeof value === "boolean" ? String(Number(value)) : String(value),
  );
  return label ? formatMessage(label, language) : null;
};

const bitsOf = (field: SheetField, mask: number): number[] | null => {
  const bits = [...field.labels.keys()].map(Number).filter((bit) => bit > 0);
  const set = bits.filter((bit) => (mask & bit) !== 0);
  return set.reduce((sum, bit) => sum + bit, 0) === mask ? set : null;
};

/** The value as the wire has it, where the field can write it. */
const wireOf = (field: SheetField, value: unknown): unknown => {
  const written = z.safeEncode(field.schema, value as never);
  return written.success ? written.data : value;
};

/** @param value as a row has it in memory */
export function toCell(
  field: SheetField,
  value: unknown,
  { language, zone }: Reader,
  names: CellNames,
): Cell {
  if (value === null || value === undefined || value === "") return null;
  const { kind } = field;
  const itemText = (inner: unknown): string =>
    kind !== null && typeof inner === "number"
      ? names.textOf(kind, inner)
      : (labelOf(field, inner, language) ?? String(inner));
  if (value instanceof Date) return momentText(value, zone);
  if (Array.isArray(value)) return value.map(itemText).join(between) || null;
  if (kind !== null) return itemText(value);
  if (field.isMask && typeof value === "number") {
    const bits = bitsOf(field, value);
    if (bits && bits.length > 0) return bits.map(itemText).join(between);
  }
  if (field.perMegabit !== null && typeof value === "number") return value / field.perMegabit;
  const wire = wireOf(field, value);
  const label = labelOf(field, wire, language);
  if (label !== null) return label;
  if (typeof wire === "number" || typeof wire === "string") return wire;
  return typeof wire === "boolean" ? Number(wire) : JSON.stringify(wire);
}

/** What a cell says, to compare it with another: blanks around it and kinds of line ends do not count. */
export const cellText = (cell: Cell): string =>
  cell === null ? "" : String(cell).replaceAll("\r\n", "\n").trim();

/** The code that a cell stands for by its label, in either language, or as it is; null: none. */
export const codeOf = (field: SheetField | undefined, text: string): string | null => {
  if (!field) return null;
  const wanted = text.toLowerCase();
  const label = [...field.labels].find(([, label]) =>
    label.some((text) => text.toLowerCase() === wanted),
  );
  return label?.[0] ?? (field.labels.has(text) ? text : null);
};

/** Labels of the values that a field takes, in the reader's language. */
export const choicesOf = (field: SheetField, language: Language): string[] =>
  [...field.labels.values()].map((label) => formatMessage(label, language));

const refused = (field: SheetField, rule: RuleIssue["rule"], params = {}): ReadCell => ({
  ok: false,
  issue: { path: field.name, rule, params },
});

const takes = (field: SheetField, wire: unknown): boolean =>
  z.safeDecode(field.schema, wire as never).success;

/** @param text of the cell, in either language */
export function readCell(
  field: SheetField,
  text: string,
  { language, zone }: Reader,
  names: CellNames,
): ReadCell {
  if (text === "") return readBlank(field);
  if (field.kind !== null) return readNames(field, field.kind, text, names);
  if (field.isMoment) {
    const moment = momentIn(text, zone);
    return moment ? { ok: true, wire: wireOf(field, moment) } : refused(field, "instant");
  }
  if (field.isMask && !/^\d+$/.test(text)) {
    const bits = parts(text).map((part) => codeOf(field, part));
    if (bits.includes(null)) return refusedChoice(field, language);
    return { ok: true, wire: bits.reduce((sum, bit) => sum + Number(bit), 0) };
  }
  if (field.isList) {
    return {
      ok: true,
      wire: parts(text)
        .map((part) => codeOf(field, part) ?? part)
        .join(","),
    };
  }
  if (field.perMegabit !== null) {
    const rate = Number(text);
    if (!Number.isFinite(rate)) return refused(field, "number");
    return { ok: true, wire: Math.round(rate * field.perMegabit) };
  }
  const code = codeOf(field, text);
  if (code !== null) return { ok: true, wire: code };
  return field.isChoice && field.labels.size > 0
    ? refusedChoice(field, language)
    : { ok: true, wire: text };
}

const refusedChoice = (field: SheetField, language: Language): ReadCell =>
  refused(field, "oneOf", { values: choicesOf(field, language).join(between) });

function readBlank(field: SheetField): ReadCell {
  const none = z.safeEncode(field.schema, null as never);
  if (none.success) return { ok: true, wire: none.data };
  return takes(field, "") ? { ok: true, wire: "" } : refused(field, "required");
}

function readNames(
  field: SheetField,
  kind: ReferenceKind,
  text: string,
  names: CellNames,
): ReadCell {
  const ids: number[] = [];
  for (const part of field.isList ? parts(text) : [text]) {
    const name = names.find(kind, part);
    if ("id" in name) ids.push(name.id);
    else if (name.among.length === 0) return refused(field, "unknown", { value: part });
    else return refused(field, "ambiguous", { value: part, values: name.among.join(between) });
  }
  return { ok: true, wire: field.isList ? ids.join(",") : ids[0] };
}

/** Names in a cell, as far as they may be some. */
export const namesIn = (field: SheetField, text: string): string[] =>
  text === "" || field.kind === null ? [] : field.isList ? parts(text) : [text];
