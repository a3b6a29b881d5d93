import { checkWire, type RuleIssue } from "@weft/contract/kernel/rule.ts";
import { type BadRow, type ImportEndpoint, maxImported } from "@weft/contract/kernel/sheet.ts";
import type { UploadedFile } from "@weft/contract/kernel/uploaded-file.ts";
import { findMessage } from "@weft/contract/messages.ts";
import { type SheetField, sheetFields } from "@weft/contract/sheet-fields.ts";
import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { HandlerContext } from "#kernel/api.ts";
import { mountAfter } from "#kernel/mount.ts";
import { mountedResource, recordWrites } from "#kernel/mount-resource.ts";
import { Refusal, refuseField, refuseFields } from "#kernel/refuse.ts";
import type { WrittenRow } from "#kernel/resource-store.ts";
import { rehearse, tryPart } from "#kernel/savepoint.ts";
import { unstorablePath } from "#kernel/storable.ts";
import { importTurns } from "./file-turns.ts";
import { codeOf } from "./sheet/cell-text.ts";
import { readSheet, UnreadableSheet } from "./sheet/read-sheet.ts";

type Loose = Record<string, unknown>;

interface ImportSpec<Row, Owner> {
  /** Name of the resource that the rows are of, for the operation log. */
  readonly resource: string;
  /**
   * Before the file is read and again before any row: whether the caller may write rows of this owner, and what else depends on
   * none of them. Refuses by refuseField or refuse.
   */
  readonly prepare: (ctx: HandlerContext, owner: Owner) => Promise<void>;
  /** Writes one row, refusing by refuseField; called in the order of the file. */
  readonly add: (ctx: HandlerContext, row: Row, owner: Owner) => Promise<WrittenRow>;
}

interface ReadRow {
  /** Number in the file; the head is row 1. */
  readonly row: number;
  readonly cells: Readonly<Record<string, string>>;
}

type GoodRow<Row> = ReadRow & { readonly value: Row };

/**
 * Mounts a call that takes rows out of a file, all of them or none. With `check` the rows are
 * written too and rolled back, so that it finds all that the import would be refused for.
 */
export function mountImport<Owner extends z.ZodRawShape, RowShape extends z.ZodRawShape>(
  app: FastifyInstance,
  endpoint: ImportEndpoint<Owner, RowShape>,
  spec: ImportSpec<z.output<z.ZodObject<RowShape>>, z.output<z.ZodObject<Owner>>>,
): void {
  const plain = endpoint as unknown as ImportEndpoint;
  mountAfter(
    app,
    plain,
    // A file is read before the transaction, which would hold its connection meanwhile.
    async (input, call) => {
      const { file, check: _, ...rest } = input as Loose & { file: UploadedFile };
      const owner = rest as z.output<z.ZodObject<Owner>>;
      call.atEnd(await importTurns.take(call.caller, call.gone));
      await call.read(async (ctx) => spec.prepare(ctx, owner));
      const resource = mountedResource(app.weft, spec.resource)?.resource;
      const fields = resource ? sheetFields(resource) : [];
      return readRows(plain.row, file, fields, call.gone);
    },
    async (input, ctx, read) => {
      const { file: _, check, ...rest } = input as Loose & { check: boolean };
      const owner = rest as z.output<z.ZodObject<Owner>>;
      await spec.prepare(ctx, owner);
      const { good, bad } = checkRows<z.output<z.ZodObject<RowShape>>>(plain.row, read);
      const add = (row: z.output<z.ZodObject<RowShape>>) => spec.add(ctx, row, owner);
      if (check) {
        const refused = await tryRows(ctx, good, add);
        const all = [...bad, ...refused].sort((one, two) => one.row - two.row);
        return { rows: read.length, added: 0, bad: all, shown: read };
      }
      if (bad.length > 0) refuseFields(bad.flatMap(toIssues));
      const written = await writeRows(good, add);
      await recordWrites(ctx, spec.resource, written);
      return { rows: read.length, added: written.length, bad: [], shown: [] };
    },
    { unaudited: "a check writes nothing; an import writes one row of the log a row" },
  );
}

const norm = (text: string): string => text.trim().toLowerCase();

/** `Expires (Asia/Shanghai)`, `Bandwidth (Mbit/s)`: the head of a column without its zone or unit. */
const withoutSuffix = (title: string): string => title.replace(/\s*[(（][^()（）]+[)）]$/, "");

/** Column of the file -> field of the row; null: not read, as what an export has besides. */
function columnsOf(
  fields: readonly string[],
  head: readonly string[],
  exported: readonly SheetField[],
): (string | null)[] {
  const byTitle = new Map<string, string | null>();
  for (const { name, title } of exported) {
    for (const text of [name, ...title]) byTitle.set(norm(text), null);
  }
  for (const field of fields) {
    for (const title of findMessage(`field.${field}`) ?? []) byTitle.set(norm(title), field);
  }
  for (const field of fields) byTitle.set(norm(field), field);
  const columns = head.map((title) => {
    if (title === "") return null;
    const known = [title, withoutSuffix(title)].find((text) => byTitle.has(norm(text)));
    if (known !== undefined) return byTitle.get(norm(known)) ?? null;
    return refuseField("file", "unknownColumn", { value: title.slice(0, 64) });
  });
  const twice = columns.find((field, at) => field !== null && columns.indexOf(field) !== at);
  if (twice) refuseField("file", "unknownColumn", { value: twice });
  return columns;
}

/** The rows under their head. */
async function readRows(
  row: z.ZodObject,
  file: UploadedFile,
  exported: readonly SheetField[],
  gone: AbortSignal,
): Promise<ReadRow[]> {
  const read = await readSheet(file.bytes, maxImported + 1, { gone }).catch((error: unknown) => {
    if (error instanceof UnreadableSheet) return refuseField("file", "unreadable");
    throw error;
  });
  const [head, ...rest] = read;
  if (!head || rest.length === 0) refuseField("file", "required");
  if (rest.length > maxImported) refuseField("file", "tooMany", { max: maxImported });
  const columns = columnsOf(Object.keys(row.shape), head.cells, exported);
  const byName = new Map(exported.map((field) => [field.name, field]));
  const wireOf = (field: string, cell: string) => codeOf(byName.get(field), cell) ?? cell;
  return rest.map(({ row: number, cells }) => ({
    row: number,
    cells: Object.fromEntries(
      columns.flatMap((field, at) =>
        field === null ? [] : [[field, wireOf(field, cells[at] ?? "")]],
      ),
    ),
  }));
}

function checkRows<Row>(
  schema: z.ZodObject,
  read: readonly ReadRow[],
): { good: GoodRow<Row>[]; bad: BadRow[] } {
  const good: GoodRow<Row>[] = [];
  const bad: BadRow[] = [];
  for (const readRow of read) {
    const unstorable = unstorablePath(readRow.cells);
    const checked = checkWire(schema, readRow.cells);
    if (unstorable !== null) {
      bad.push({
        row: readRow.row,
        issues: [{ path: unstorable, rule: "notAllowed", params: {} }],
      });
    } else if (checked.ok) good.push({ ...readRow, value: checked.value as Row });
    else bad.push({ row: readRow.row, issues: checked.issues.map((issue) => ({ ...issue })) });
  }
  return { good, bad };
}

/** Writes row after row, and takes all back. */
async function tryRows<Row>(
  ctx: HandlerContext,
  rows: readonly GoodRow<Row>[],
  add: (row: Row) => Promise<WrittenRow>,
): Promise<BadRow[]> {
  const bad: BadRow[] = [];
  await rehearse(ctx.db, async () => {
    for (const { row, value } of rows) {
      const refused = await tryPart(
        ctx.db,
        async () => {
          await add(value);
          return null;
        },
        (error) => {
          if (!(error instanceof Refusal)) throw error;
          return error;
        },
      );
      if (refused) bad.push({ row, issues: issuesOf(refused).map((issue) => ({ ...issue })) });
    }
  });
  return bad;
}

async function writeRows<Row>(
  rows: readonly GoodRow<Row>[],
  add: (row: Row) => Promise<WrittenRow>,
): Promise<WrittenRow[]> {
  const written: WrittenRow[] = [];
  for (const { row, value } of rows) {
    written.push(
      await add(value).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        return refuseFields(toIssues({ row, issues: [...issuesOf(error)] }));
      }),
    );
  }
  return written;
}

/** A refusal that names no field belongs to the row as a whole. */
const issuesOf = ({ issues }: Refusal): readonly RuleIssue[] =>
  issues.length > 0 ? issues : [{ path: "", rule: "notAllowed", params: {} }];

/** Issues of an answer name the row as a parameter. */
const toIssues = ({ row, issues }: { row: number; issues: BadRow["issues"] }): RuleIssue[] =>
  issues.map((issue) => ({ ...(issue as RuleIssue), params: { ...issue.params, row } }));
