/** Existing rows that match the rows of a file. */

import type { SheetField } from "@weft/contract/sheet-fields.ts";
import { z } from "zod";
import type { Context } from "#kernel/api.ts";
import { refuse } from "#kernel/refuse.ts";
import { cellText } from "#transfer/sheet/cell-text.ts";
import { type Loose, queryOf, readRows, type Subject } from "./subject.ts";

/** Rows that a file is compared with at most: they are read into memory. */
const maxCompared = 100_000;

export class Existing {
  readonly rows: readonly Loose[];
  readonly #subject: Subject;
  readonly #byId: ReadonlyMap<string, Loose>;
  readonly #byKey = new Map<string, Loose | "several">();

  private constructor(subject: Subject, rows: readonly Loose[]) {
    this.#subject = subject;
    this.rows = rows;
    this.#byId = new Map(rows.map((row) => [String(row[subject.resource.id]), row]));
    for (const row of rows) {
      const key = this.#keyOf((field) => this.wireOf(field, row));
      this.#byKey.set(key, this.#byKey.has(key) ? "several" : row);
    }
  }

  static async read(ctx: Context, subject: Subject): Promise<Existing> {
    const rows: Loose[] = [];
    for await (const page of readRows(ctx, subject, queryOf(subject, {}))) {
      rows.push(...page);
      if (rows.length > maxCompared) {
        const { title } = subject.resource;
        refuse("noRoom", { name: title, max: maxCompared, what: title });
      }
    }
    return new Existing(subject, rows);
  }

  byId(text: string): Loose | null {
    return this.#byId.get(text) ?? null;
  }

  /** @param wire fields of a row that a file has, in wire form */
  byKey(wire: Loose): Loose | "several" | null {
    const { key } = this.#subject.rule;
    if (key.some((name) => !(name in wire))) return null;
    return this.#byKey.get(this.#keyOf(({ name }) => wire[name])) ?? null;
  }

  /** What identifies a row that has no id; null: the file has not all of it. */
  keyOf(wire: Loose): string | null {
    const { key } = this.#subject.rule;
    return key.every((name) => name in wire) ? this.#keyOf(({ name }) => wire[name]) : null;
  }

  /** A row of another enterprise with the login name of this one. */
  withLoginName(wire: Loose): Loose | null {
    const { loginName } = wire;
    if (!(this.#subject.rule.key as readonly string[]).includes("loginName")) return null;
    return this.rows.find((row) => row.loginName === loginName) ?? null;
  }

  idOf(row: Loose): number {
    return row[this.#subject.resource.id] as number;
  }

  /** What a row has in a field, in wire form. */
  wireOf({ name, schema }: SheetField, row: Loose): unknown {
    const value = row[name] ?? null;
    const written = z.safeEncode(schema, value as never);
    return written.success ? written.data : value === null ? "" : value;
  }

  #keyOf(wireOf: (field: SheetField) => unknown): string {
    const { rule, fields } = this.#subject;
    const parts = rule.key.map((name) => {
      const field = fields.find(
        (sheetField) => sheetField.name === name && sheetField.role !== "id",
      );
      return field ? cellText(String(wireOf(field) ?? "")) : "";
    });
    return JSON.stringify(parts);
  }
}
