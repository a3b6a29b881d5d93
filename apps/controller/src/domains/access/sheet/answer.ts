/** What an import found or did, in the reader's language. */
import type { sheetImport } from "@weft/contract/domains/access/sheet.ts";
import { importStates } from "@weft/contract/domains/access/sheet.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { formatMessage, type Language } from "@weft/contract/kernel/message.ts";
import type { RuleIssue } from "@weft/contract/kernel/rule.ts";
import { findMessage } from "@weft/contract/messages.ts";
import { ownerFieldsOf, referenceOf, type SheetField } from "@weft/contract/sheet-fields.ts";
import type { Context } from "#kernel/api.ts";
import { refuseField } from "#kernel/refuse.ts";
import { choicesOf } from "#transfer/sheet/cell-text.ts";
import { NameBook, Wanted } from "./names.ts";
import type { Plan, PlannedRow } from "./plan.ts";
import type { ReadFile } from "./read-file.ts";
import type { Loose, Subject } from "./subject.ts";

type Answer = OutputOf<typeof sheetImport>;

/** The row that all rows belong to: a node, a template. */
export interface Owner {
  readonly name: string;
  readonly enterpriseId: number;
}

/** Refuses an owner that is not there, or out of the caller's sight, before anything is read. */
export async function readOwner(
  ctx: Context,
  { resource, inside, isAcross }: Subject,
): Promise<Owner | null> {
  if (isAcross) return null;
  const named = ownerFieldsOf(resource).filter((field) => inside[field] !== undefined);
  const [field] = named;
  const all = ownerFieldsOf(resource);
  if (all.length === 0) return null;
  if (field === undefined) return refuseField(all[0] ?? "", "required");
  const kind = referenceOf(resource, field);
  const id = Number(inside[field]);
  const wanted = new Wanted();
  if (kind) wanted.id(kind, id);
  const row = kind ? (await NameBook.read(ctx, wanted, inside)).get(kind, id) : undefined;
  if (!row) return refuseField(field, "unknown");
  return { name: row.name, enterpriseId: row.enterprise_id };
}

/** Enterprise of a row that is written: as it says, else that of what it refers to. */
function enterpriseOf({ fields }: Subject, book: NameBook, draft: Loose, other: number): number {
  const field = fields.find(({ name, role }) => name === "groupid" && role === "value");
  if (field && typeof draft.groupid === "number") return draft.groupid;
  for (const { kind, name } of fields) {
    const row = kind && typeof draft[name] === "number" ? book.get(kind, draft[name]) : undefined;
    if (row && kind !== "enterprise") return row.enterprise_id;
  }
  return other;
}

/** Enterprises that get or have the rows that are written, with how many. */
export function rowsByEnterprise(
  subject: Subject,
  plan: Plan,
  other: number,
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { draft, state } of plan.rows) {
    if (!draft || state === "bad") continue;
    const id = enterpriseOf(subject, plan.book, draft, other);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** The same by name; of a file that writes nothing, where its rows would be. */
async function targetsOf(ctx: Context, subject: Subject, plan: Plan, other: number) {
  const byEnterprise = rowsByEnterprise(subject, plan, other);
  const counts = byEnterprise.size > 0 ? byEnterprise : new Map([[other, 0]]);
  const wanted = new Wanted();
  for (const id of counts.keys()) wanted.id("enterprise", id);
  const book = await NameBook.read(ctx, wanted, {});
  const names = book.within(null);
  return [...counts].map(([id, rows]) => ({ name: names.textOf("enterprise", id), rows }));
}

const issueText = (issue: RuleIssue, field: SheetField | undefined, language: Language): string => {
  // A refusal of the row has its own text.
  if (typeof issue.params.text === "string") return issue.params.text;
  const text = findMessage(`rule.${issue.rule}`);
  const isChoice = issue.rule === "oneOf" && field && field.labels.size > 0;
  const params = isChoice ? { values: choicesOf(field, language).join(", ") } : issue.params;
  return text ? formatMessage(text, language, params) : issue.rule;
};

function rowOf({ fields }: Subject, file: ReadFile, planned: PlannedRow, language: Language) {
  const { row, state, cells, differences } = planned;
  const titleOf = (field: SheetField) => formatMessage(field.title, language);
  return {
    row,
    state,
    cells: [...cells],
    issues: planned.issues.map((issue) => {
      const name = issue.path.split(".")[0] ?? "";
      const field = fields.find((sheetField) => sheetField.name === name);
      const at = file.columns.findIndex((column) => column.field === field);
      const value = field && at >= 0 ? (cells[at] ?? "") : "";
      const title = field ? titleOf(field) : "";
      return { path: name, title, value, text: issueText(issue, field, language) };
    }),
    differences:
      state === "changed" || state === "kept" || state === "bad"
        ? differences.map(({ field, old, new: now }) => ({ title: titleOf(field), old, new: now }))
        : [],
  };
}

interface Result {
  readonly subject: Subject;
  readonly file: ReadFile;
  readonly plan: Plan;
  readonly owner: Owner | null;
  readonly enterpriseId: number;
  readonly done: boolean;
  readonly digest: string;
}

export async function answerOf(ctx: Context, result: Result): Promise<Answer> {
  const { subject, file, plan, owner, done } = result;
  const { language } = ctx.caller;
  const counts = Object.fromEntries(
    importStates.map((state) => [state, plan.rows.filter((row) => row.state === state).length]),
  ) as Answer["counts"];
  const headsOf = (test: (field: SheetField | null) => boolean) =>
    file.head.filter((title, at) => title !== "" && test(file.columns[at]?.field ?? null));
  return {
    done,
    counts,
    owner: owner?.name ?? null,
    plan: result.digest,
    targets: await targetsOf(ctx, subject, plan, owner?.enterpriseId ?? result.enterpriseId),
    head: [...file.head],
    unknown: headsOf((field) => field === null),
    unread: headsOf((field) => field?.role === "shown"),
    rows: done ? [] : plan.rows.map((row) => rowOf(subject, file, row, language)),
  };
}
