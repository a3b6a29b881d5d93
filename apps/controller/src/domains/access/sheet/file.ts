/** Files that go out: the rows of a list, and an empty file with what its columns take. */
import { defineMessages, formatMessage, type Message } from "@weft/contract/kernel/message.ts";
import { checkWire } from "@weft/contract/kernel/rule.ts";
import { findMessage } from "@weft/contract/messages.ts";
import type { SheetField } from "@weft/contract/sheet-fields.ts";
import type { Context } from "#kernel/api.ts";
import type { FileContent } from "#transfer/mount-file.ts";
import { choicesOf, type Reader, toCell } from "#transfer/sheet/cell-text.ts";
import type { Cell, ColumnHelp } from "#transfer/sheet/xlsx-writer.ts";
import { NameBook, readChoices, Wanted } from "./names.ts";
import { type Loose, readRows, type Subject } from "./subject.ts";

const texts = defineMessages({
  template: ["{title}导入模板", "{title} template"],
  required: ["必填", "Required"],
  optional: ["可不填", "Optional"],
  several: ["可填多个，以逗号分隔", "Several may be given, separated by commas"],
  moment: ["时间，例如 2026-01-05 08:30:00", "A time such as 2026-01-05 08:30:00"],
  oneOf: ["可选值见工作表 values", "The values are in the sheet values"],
  key: ["用于识别已有数据", "Identifies a row that exists"],
});

export const templateTitle = ({ resource }: Subject): Message => {
  const [zh, en] = resource.title as Message;
  return [
    formatMessage(texts.template, "zh_cn", { title: zh }),
    formatMessage(texts.template, "en_gb", { title: en }),
  ];
};

/** The head of a column: what the field is called, with its unit or zone. */
const headOf = (field: SheetField, { language, zone }: Reader): string => {
  const title = formatMessage(field.title, language);
  if (field.isMoment) return `${title} (${zone})`;
  return field.perMegabit === null ? title : `${title} (Mbit/s)`;
};

/** Rows that the cells of these fields name. */
export function wantedBy(fields: readonly SheetField[], rows: readonly Loose[]): Wanted {
  const wanted = new Wanted();
  for (const { kind, name } of fields) {
    if (kind === null) continue;
    for (const row of rows) for (const id of [row[name]].flat()) wanted.id(kind, id);
  }
  return wanted;
}

export function exportContent(
  ctx: Context,
  subject: Subject,
  query: Loose,
  reader: Reader,
): FileContent {
  const { fields } = subject;
  const titles = fields.map((field) => headOf(field, reader));
  return { titles, batches: cellsOf(ctx, subject, query, reader) };
}

async function* cellsOf(
  ctx: Context,
  subject: Subject,
  query: Loose,
  reader: Reader,
): AsyncGenerator<Cell[][]> {
  const { fields, inside } = subject;
  for await (const rows of readRows(ctx, subject, query)) {
    const book = await NameBook.read(ctx, wantedBy(fields, rows), inside);
    const names = book.within(null);
    yield rows.map((row) => fields.map((field) => toCell(field, row[field.name], reader, names)));
  }
}

/** Names of one kind that a template offers at most. */
const maxOffered = 1_000;

/** Text that fits no rule: what a field answers is what it wants. */
const wrong = "\u0001";

function ruleText(field: SheetField, { language }: Reader): string | null {
  const checked = checkWire(field.schema, wrong);
  const issue = checked.ok ? undefined : checked.issues[0];
  const text = issue && issue.rule !== "notAllowed" ? findMessage(`rule.${issue.rule}`) : undefined;
  return text ? formatMessage(text, language, issue?.params ?? {}) : null;
}

const isRequired = ({ schema, isMoment, isChoice, initial }: SheetField): boolean => {
  const blank = checkWire(schema, "");
  if (initial !== null) return false;
  return !blank.ok && (isMoment || isChoice || blank.issues.length > 0);
};

function hintOf(subject: Subject, field: SheetField, choices: readonly string[], reader: Reader) {
  const textOf = (key: keyof typeof texts) => formatMessage(texts[key], reader.language);
  const isChosen = choices.length > 0;
  const format = field.isMoment
    ? textOf("moment")
    : isChosen
      ? textOf("oneOf")
      : ruleText(field, reader);
  const isKey = (subject.rule.key as readonly string[]).includes(field.name);
  return [
    textOf(isRequired(field) ? "required" : "optional"),
    format,
    field.isList ? textOf("several") : null,
    isKey ? textOf("key") : null,
  ]
    .filter((part) => part !== null)
    .join(reader.language === "zh_cn" ? "；" : "; ");
}

async function choicesIn(
  ctx: Context,
  field: SheetField,
  inside: Loose,
  reader: Reader,
): Promise<string[]> {
  if (field.kind === null) return choicesOf(field, reader.language);
  const book = await readChoices(ctx, field.kind, inside, maxOffered);
  return book.texts(field.kind);
}

/** An empty file with the columns that an import reads. */
export async function templateContent(
  ctx: Context,
  subject: Subject,
  reader: Reader,
): Promise<FileContent> {
  const fields = subject.fields.filter(({ role }) => role === "value");
  const help: ColumnHelp[] = [];
  for (const field of fields) {
    const choices = await choicesIn(ctx, field, subject.inside, reader);
    const hint = hintOf(subject, field, choices, reader);
    help.push({ hint, choices, isOpen: field.isList || field.kind !== null || !field.isChoice });
  }
  const nothing = (async function* (): AsyncGenerator<Cell[][]> {})();
  return { titles: fields.map((field) => headOf(field, reader)), batches: nothing, help };
}
