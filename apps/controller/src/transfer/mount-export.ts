import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import { formatMessage, type Message } from "@weft/contract/kernel/message.ts";
import { versionField } from "@weft/contract/kernel/row-version.ts";
import { checkWire } from "@weft/contract/kernel/rule.ts";
import {
  downloadPath,
  type ExportEndpoint,
  maxExported,
  type SheetFormat,
} from "@weft/contract/kernel/sheet.ts";
import type { FastifyInstance, FastifyReply } from "fastify";
import { z } from "zod";
import { poolFor, scopedSnapshot } from "#db/pool.ts";
import type { Api, Caller, Context } from "#kernel/api.ts";
import { createContext } from "#kernel/audit.ts";
import { mount } from "#kernel/mount.ts";
import { refuse, refuseFields } from "#kernel/refuse.ts";
import { csvFile } from "./sheet/csv-writer.ts";
import { type ExportColumn, exportColumns } from "./sheet/export-columns.ts";
import { createSlots } from "./sheet/slots.ts";
import { type Cell, xlsxFile } from "./sheet/xlsx-writer.ts";
import { giveTicket, mountTicket, requireStill } from "./ticket.ts";

/** Rows of one read: few enough to hold, many enough that the database is asked seldom. */
const rowsPerRead = 2_000;
/** Exports of one process: all calls share the connections of its pools. */
const slots = createSlots(2, 20);

const media: Readonly<Record<SheetFormat, string>> = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv; charset=utf-8",
};
const files: Readonly<Record<SheetFormat, typeof csvFile>> = { xlsx: xlsxFile, csv: csvFile };

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

/** An export as the download finds it again. */
interface MountedExport {
  readonly endpoint: ExportEndpoint;
  readonly spec: ExportSpec<object>;
}

/** Exports of an application, by the id of their call. */
const mountedOf = new WeakMap<FastifyInstance, Map<string, MountedExport>>();

/**
 * Mounts the export of a list: the call checks that there are not too many rows, writes who takes
 * what into the operation log, and gives a ticket for the file.
 */
export function mountExport<E extends ExportEndpoint, Row extends object>(
  app: FastifyInstance,
  endpoint: E,
  spec: ExportSpec<Row>,
): void {
  const plain = endpoint as unknown as ExportEndpoint;
  const mounted = mountedOf.get(app) ?? new Map<string, MountedExport>();
  mountedOf.set(app, mounted.set(endpoint.id, { endpoint: plain, spec: spec as never }));
  mount(app, plain, async (input, ctx) => {
    const { count } = await spec.rows({ ...input, page: 1, limit: 1 } as never, ctx);
    if (count > maxExported) {
      refuseFields([{ path: "", rule: "tooMany", params: { max: maxExported } }]);
    }
    const { format: asked, zone: _zone, ...filters } = input;
    const format = asked ?? "xlsx";
    const name = `${formatMessage(spec.title, ctx.caller.language)}.${format}`;
    const ticket = await giveTicket(app.weft, ctx.caller, {
      purpose: "download",
      action: endpoint.id,
      content: { id: endpoint.id, name, query: z.encode(plain.input, input) },
      audit: {
        resource: endpoint.id.split(".")[0] ?? "",
        rowId: null,
        old: null,
        new: { format, rows: count, ...filters },
        enterpriseId: ctx.caller.enterpriseId,
      },
    });
    return { ticket, name, rows: count };
  });
}

const wanted = z.object({ id: z.string(), name: z.string(), query: z.record(z.string(), z.any()) });

/** Mounts the one path at which every ticket for a file is used. */
export function mountDownloads(app: FastifyInstance): void {
  mountTicket(app, {
    path: downloadPath,
    purpose: "download",
    async run({ caller, content }, _request, reply) {
      const { id, name, query } = wanted.parse(content);
      const found = mountedOf.get(app)?.get(id);
      if (!found) refuse("notFound");
      requireStill(caller, found.endpoint.may);
      const checked = checkWire(found.endpoint.input, query);
      if (!checked.ok) refuseFields(checked.issues);
      const file = await slots.run(() => spool(app.weft, found, caller, checked.value));
      return sendFile(reply, file, name, formatOf(checked.value));
    },
  });
}

const formatOf = ({ format }: Loose): SheetFormat => (format as SheetFormat | null) ?? "xlsx";

/** Moments and everything else of a row, in the order of its declaration. */
function fieldsOf({ spec }: MountedExport): Map<string, boolean> {
  const shape = spec.list.output.element.shape;
  const left = Object.keys(shape).filter(
    // A version says nothing to who reads a file.
    (name) => name !== versionField && !spec.leave?.includes(name),
  );
  return new Map(left.map((name) => [name, takesMoments(shape[name] as z.ZodType)]));
}

const takesMoments = (schema: z.ZodType): boolean =>
  z.safeEncode(schema, new Date(0) as never).success;

/**
 * Writes the file to disk, from one snapshot: a slow download holds no transaction open.
 * @returns its folder and path; the folder is the caller's to remove
 */
async function spool(
  api: Api,
  found: MountedExport,
  caller: Caller,
  input: Loose,
): Promise<{ folder: string; path: string }> {
  const folder = await mkdtemp(join(tmpdir(), "weft-export-"));
  const path = join(folder, "sheet");
  const columns = exportColumns(fieldsOf(found), found.spec.columns ?? {}, {
    language: caller.language,
    zone: (input.zone as string | null) ?? "UTC",
  });
  try {
    await scopedSnapshot(poolFor(api.pools, caller.scope), caller.scope, async (db) => {
      const ctx = createContext(caller, db, found.endpoint.id);
      const batches = readBatches(found.spec.rows, ctx, input, columns.cells);
      const disk = await open(path, "wx", 0o600);
      await pipeline(files[formatOf(input)](columns.titles, batches), disk.createWriteStream());
    });
  } catch (error) {
    await rm(folder, { recursive: true });
    throw error;
  }
  return { folder, path };
}

async function* readBatches(
  rows: ListOf<object>,
  ctx: Context,
  input: Loose,
  cells: (row: object) => Cell[],
): AsyncGenerator<Cell[][]> {
  for (let page = 1; ; page += 1) {
    const found = await rows({ ...input, page, limit: rowsPerRead } as never, ctx);
    yield found.rows.map(cells);
    if (found.rows.length < rowsPerRead) return;
  }
}

function sendFile(
  reply: FastifyReply,
  { folder, path }: { folder: string; path: string },
  name: string,
  format: SheetFormat,
): FastifyReply {
  const source: Readable = createReadStream(path);
  const remove = () => void rm(folder, { recursive: true, force: true });
  source.once("close", remove);
  // A browser that left ends the answer, and with it the file.
  reply.raw.once("close", () => source.destroy());
  return reply
    .type(media[format])
    .header("content-disposition", `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
    .send(source);
}
