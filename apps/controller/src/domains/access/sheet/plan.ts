/** What an import of a file would do: which rows are new, which change and how, which are wrong. */
import { createHash } from "node:crypto";
import type { sheetImport } from "@weft/contract/domains/access/sheet.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { checkWire, type RuleIssue } from "@weft/contract/kernel/rule.ts";
import { enterpriseFieldOf, type SheetField } from "@weft/contract/sheet-fields.ts";
import { z } from "zod";
import type { Context } from "#kernel/api.ts";
import { cellText, namesIn, type Reader, readCell, toCell } from "#transfer/sheet/cell-text.ts";
import { Existing } from "./existing.ts";
import { wantedBy } from "./file.ts";
import { NameBook } from "./names.ts";
import type { FileRow, ReadFile } from "./read-file.ts";
import type { Loose, Subject } from "./subject.ts";

type Answer = OutputOf<typeof sheetImport>;
export type RowState = Answer["rows"][number]["state"];

interface Difference {
  readonly field: SheetField;
  readonly old: string;
  readonly new: string;
}

export interface PlannedRow extends FileRow {
  state: RowState;
  /** Id of the row that it changes; null: none. */
  readonly id: number | null;
  /** What is written, in memory form; null: nothing is. */
  readonly draft: Loose | null;
  readonly issues: RuleIssue[];
  readonly differences: readonly Difference[];
  /** Of a new row: the first row of the file that is known by the same; null: there is none. */
  readonly first?: number | null;
}

export interface Plan {
  readonly rows: readonly PlannedRow[];
  readonly book: NameBook;
}

export interface ImportOrder {
  readonly subject: Subject;
  readonly file: ReadFile;
  readonly reader: Reader;
  readonly isAddOnly: boolean;
  /** Enterprise of rows that name none. */
  readonly enterpriseId: number;
}

/** Content of a row of the file. */
interface ReadRow {
  readonly wire: Loose;
  readonly issues: readonly RuleIssue[];
  /** Cells that are written differently than the row that exists. */
  readonly texts: ReadonlyMap<SheetField, { readonly old: string; readonly new: string }>;
}

/** Compares the rows of a file with those that exist; writes nothing. */
export async function planImport(ctx: Context, order: ImportOrder): Promise<Plan> {
  const { subject, file } = order;
  const { fields, inside } = subject;
  const existing = await Existing.read(ctx, subject);
  const values = fields.filter(({ role }) => role === "value");
  const wanted = wantedBy(values, existing.rows);
  for (const { cells } of file.rows) {
    for (const [at, { field }] of file.columns.entries()) {
      if (!field?.kind || field.role !== "value") continue;
      for (const name of namesIn(field, cells[at] ?? "")) wanted.name(field.kind, name);
    }
  }
  wanted.id("enterprise", order.enterpriseId);
  const book = await NameBook.read(ctx, wanted, inside);
  const planner = new Planner(order, existing, book);
  return { rows: file.rows.map((row) => planner.plan(row)), book };
}

/** Cells of a row by field; the zone is that of the column's head. */
type GivenCells = ReadonlyMap<string, { readonly text: string; readonly zone: string | null }>;

class Planner {
  readonly #order: ImportOrder;
  readonly #existing: Existing;
  readonly #book: NameBook;
  readonly #resource: AnyResource;
  readonly #enterpriseField: string | null;
  /** Id of a row that exists -> row of the file that means it. */
  readonly #meant = new Map<number, number>();
  /** What identifies a row that is new -> the first row of the file that has it. */
  readonly #added = new Map<string, number>();

  constructor(order: ImportOrder, existing: Existing, book: NameBook) {
    this.#order = order;
    this.#existing = existing;
    this.#book = book;
    this.#resource = order.subject.resource;
    this.#enterpriseField = enterpriseFieldOf(this.#resource);
  }

  plan(row: FileRow): PlannedRow {
    const given = this.#cellsOf(row);
    const wrong = (...issues: RuleIssue[]): PlannedRow => ({
      ...row,
      state: "bad",
      id: null,
      draft: null,
      issues,
      differences: [],
    });
    const idText = given.get(this.#resource.id)?.text ?? "";
    const byId = idText === "" ? null : this.#existing.byId(idText);
    if (idText !== "" && !byId) {
      return wrong({ path: this.#resource.id, rule: "noRow", params: { value: idText } });
    }
    const read = this.#read(given, byId);
    const existingRow = byId ?? this.#existing.byKey(read.wire);
    if (existingRow === "several")
      return wrong({ path: this.#resource.id, rule: "required", params: {} });
    if (!existingRow) return this.#planNew(row, read, given);
    const id = this.#existing.idOf(existingRow);
    const first = this.#meant.get(id);
    if (first !== undefined) return wrong({ path: "", rule: "rowTwice", params: { first } });
    this.#meant.set(id, row.row);
    // A cell that says what the row has says it again, whether or not it could be read.
    return this.#planChange(row, id, byId ? read : this.#read(given, existingRow), existingRow);
  }

  #cellsOf({ cells }: FileRow): GivenCells {
    const { columns } = this.#order.file;
    return new Map(
      columns.flatMap(({ field, zone }, at) =>
        field ? [[field.name, { text: cells[at] ?? "", zone }] as const] : [],
      ),
    );
  }

  get #values(): readonly SheetField[] {
    return this.#order.subject.fields.filter(({ role }) => role === "value");
  }

  /** The fields of a row in wire form: of its cells, else of the row that exists. */
  #read(given: GivenCells, existing: Loose | null): ReadRow {
    const wire: Record<string, unknown> = { ...this.#order.subject.inside };
    const issues: RuleIssue[] = [];
    const texts = new Map<SheetField, { old: string; new: string }>();
    let enterpriseId = this.#order.enterpriseId;
    // Whose row it is decides which of several rows with one name is meant.
    const first = (field: SheetField) => (field.name === this.#enterpriseField ? 0 : 1);
    for (const field of this.#values.toSorted((a, b) => first(a) - first(b))) {
      const cell = given.get(field.name);
      const reader = { ...this.#order.reader, ...(cell?.zone && { zone: cell.zone }) };
      const names = this.#book.within(enterpriseId);
      const old = existing ? cellText(toCell(field, existing[field.name], reader, names)) : "";
      const isEnterprise = field.name === this.#enterpriseField;
      if (existing && (cell === undefined || cell.text === old || (isEnterprise && !cell.text))) {
        wire[field.name] = this.#existing.wireOf(field, existing);
      } else if (isEnterprise && !cell?.text) {
        wire[field.name] = enterpriseId;
      } else if (!existing && !cell?.text && field.initial !== null) {
        wire[field.name] = field.initial;
      } else {
        const value = readCell(field, cell?.text ?? "", reader, names);
        if (value.ok) wire[field.name] = value.wire;
        else issues.push(value.issue);
        if (existing) texts.set(field, { old, new: cell?.text ?? "" });
      }
      if (isEnterprise) enterpriseId = Number(wire[field.name]) || enterpriseId;
    }
    return { wire, issues, texts };
  }

  #planNew(row: FileRow, { wire, issues }: ReadRow, given: GivenCells): PlannedRow {
    const checked = this.#check(wire, issues);
    const key = this.#existing.keyOf(wire);
    const first = (key === null ? undefined : this.#added.get(key)) ?? null;
    if (key !== null && first === null) this.#added.set(key, row.row);
    checked.issues.push(...this.#elsewhere(wire, given));
    if (!this.#resource.verbs.includes("add")) {
      checked.issues.push({ path: "", rule: "notAdded", params: {} });
    }
    const isBad = checked.issues.length > 0;
    const draft = isBad ? null : checked.draft;
    const state = isBad ? "bad" : "new";
    return { ...row, ...checked, draft, state, id: null, differences: [], first };
  }

  /** A login that an enterprise has is not given to another one by a file that names no enterprise. */
  #elsewhere(wire: Loose, given: GivenCells): RuleIssue[] {
    const field = this.#enterpriseField;
    if (field === null || given.get(field)?.text) return [];
    const holder = this.#existing.withLoginName(wire);
    if (!holder) return [];
    const other = this.#book.within(null).textOf("enterprise", Number(holder[field]));
    return [
      {
        path: "loginName",
        rule: "loginElsewhere",
        params: { value: String(wire.loginName), other },
      },
    ];
  }

  #planChange(
    row: FileRow,
    id: number,
    { wire, issues, texts }: ReadRow,
    existing: Loose,
  ): PlannedRow {
    const differences = [...texts].flatMap(([field, { old, new: now }]) =>
      this.#isSame(field, wire[field.name], existing) ? [] : [{ field, old, new: now }],
    );
    const plain = { ...row, id, draft: null, issues: [], differences };
    if (differences.length === 0 && issues.length === 0) return { ...plain, state: "unchanged" };
    const checked = this.#check(wire, issues);
    if (!this.#resource.verbs.includes("edit")) {
      checked.issues.push({ path: "", rule: "notChanged", params: {} });
    }
    if (checked.issues.length > 0) return { ...plain, ...checked, state: "bad" };
    if (this.#order.isAddOnly) return { ...plain, state: "kept" };
    return { ...plain, ...checked, state: "changed" };
  }

  /** Whether a cell that is written differently stands for what the row has. */
  #isSame(field: SheetField, wire: unknown, existing: Loose): boolean {
    const read = z.safeDecode(field.schema, wire as never);
    if (!read.success) return false;
    const back = z.safeEncode(field.schema, read.data as never);
    const old = this.#existing.wireOf(field, existing);
    return back.success && String(back.data ?? "") === String(old ?? "");
  }

  #check(wire: Loose, issues: readonly RuleIssue[]): { draft: Loose | null; issues: RuleIssue[] } {
    const shape = this.#resource.draft.shape as Record<string, z.ZodType>;
    // What no file has, a secret, is left as it is.
    const absent = Object.keys(shape).filter((name) => !(name in wire));
    const full = { ...Object.fromEntries(absent.map((name) => [name, ""])), ...wire };
    const checked = checkWire(this.#resource.draft as z.ZodType, full);
    if (checked.ok && issues.length === 0) return { draft: checked.value as Loose, issues: [] };
    const known = new Set(issues.map(({ path }) => path));
    const more = checked.ok ? [] : checked.issues.filter(({ path }) => !known.has(headOf(path)));
    return { draft: null, issues: [...issues, ...more] };
  }
}

const headOf = (path: string): string => path.split(".")[0] ?? "";

/** The same plan has the same digest: the file, the rows that exist and the mode decide it. */
export const digestOf = ({ rows }: Plan): string => {
  const parts = rows.map(({ row, state, id, draft, differences }) => {
    const old = differences.map((difference) => difference.old);
    return { row, state, id, draft, old };
  });
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
};
