import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import type { Message } from "@weft/contract/kernel/message.ts";
import { versionField } from "@weft/contract/kernel/row-version.ts";
import { type ExportEndpoint, maxExported } from "@weft/contract/kernel/sheet.ts";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Context } from "#kernel/api.ts";
import { refuseFields } from "#kernel/refuse.ts";
import { mountFile } from "./mount-file.ts";
import { type ExportColumn, exportColumns } from "./sheet/export-columns.ts";

/** Rows of one read: few enough to hold, many enough that the database is asked seldom. */
const rowsPerRead = 2_000;

type Loose = Readonly<Record<string, unknown>>;
type ListOf<Row> = (
  query: never,
  ctx: Context,
) => Promise<{ readonly rows: readonly Row[]; readonly count: number }>;

interface ExportSpec<Row> {
  /** The list's own call: its rows are what the file has. */
  readonly list: Endpoint<z.ZodObject, z.ZodArray<z.ZodObject>, true>;
  /** What answers the list: filters, order and scope are its concern. */
  readonly rows: ListOf<Row>;
  /** What the file is called. */
  readonly title: Message;
  readonly columns?: Readonly<Partial<Record<string, ExportColumn<Row>>>>;
  /** Fields of the row that no person reads. */
  readonly leave?: readonly string[];
}

/** Refuses more rows than a sheet holds. */
export function requireRoom(rows: number): number {
  if (rows > maxExported) {
    refuseFields([{ path: "", rule: "tooMany", params: { max: maxExported } }]);
  }
  return rows;
}

/**
 * Mounts the export of a list: the call checks that there are not too many rows, writes who takes
 * what into the operation log, and gives a ticket for the file.
 */
export function mountExport<E extends ExportEndpoint, Row extends object>(
  app: FastifyInstance,
  endpoint: E,
  spec: ExportSpec<Row>,
): void {
  mountFile(app, endpoint as unknown as ExportEndpoint, {
    async describe(input, ctx) {
      const { count } = await spec.rows({ ...input, page: 1, limit: 1 } as never, ctx as never);
      const resource = endpoint.id.split(".")[0] ?? "";
      return { title: spec.title, rows: requireRoom(count), resource };
    },
    async content(input, ctx) {
      const columns = exportColumns(fieldsOf(spec as never), spec.columns ?? {}, {
        language: ctx.caller.language,
        zone: (input.zone as string | null) ?? "UTC",
      });
      const pages = readPages(rowsPerRead, (paging) =>
        spec.rows({ ...input, ...paging } as never, ctx),
      );
      return { titles: columns.titles, batches: toCells(pages, columns.cells) };
    },
  });
}

/** Moments and everything else of a row, in the order of its declaration. */
function fieldsOf({ list, leave }: ExportSpec<object>): Map<string, boolean> {
  const shape: Loose = list.output.element.shape;
  const left = Object.keys(shape).filter(
    // A version says nothing to who reads a file.
    (name) => name !== versionField && !leave?.includes(name),
  );
  return new Map(left.map((name) => [name, takesMoments(shape[name] as z.ZodType)]));
}

const takesMoments = (schema: z.ZodType): boolean =>
  z.safeEncode(schema, new Date(0) as never).success;

/** The pages of a list one after the other, until one is not full. */
export async function* readPages<Row>(
  limit: number,
  read: (paging: { page: number; limit: number }) => Promise<{ readonly rows: readonly Row[] }>,
): AsyncGenerator<readonly Row[]> {
  for (let page = 1; ; page += 1) {
    const { rows } = await read({ page, limit });
    yield rows;
    if (rows.length < limit) return;
  }
}

async function* toCells<Row, C>(
  pages: AsyncIterable<readonly Row[]>,
  cells: (row: Row) => C,
): AsyncGenerator<C[]> {
  for await (const rows of pages) yield rows.map(cells);
}
