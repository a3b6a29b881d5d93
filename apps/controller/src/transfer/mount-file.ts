import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Endpoint, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { formatMessage, type Message } from "@weft/contract/kernel/message.ts";
import { checkWire } from "@weft/contract/kernel/rule.ts";
import { downloadPath, type exportAnswer, type SheetFormat } from "@weft/contract/kernel/sheet.ts";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { Transaction } from "kysely";
import { z } from "zod";
import { poolFor, scopedSnapshot } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import type { Api, Caller, Context, HandlerContext } from "#kernel/api.ts";
import { createContext } from "#kernel/audit.ts";
import { goneSignal } from "#kernel/client-gone.ts";
import { isAccessChanged } from "#kernel/database-errors.ts";
import { mountInSteps } from "#kernel/mount.ts";
import { refuse, refuseFields } from "#kernel/refuse.ts";
import { exportTurns } from "./file-turns.ts";
import { csvFile } from "./sheet/csv-writer.ts";
import { type Cell, type ColumnHelp, xlsxFile } from "./sheet/xlsx-writer.ts";
import { type Admitted, giveTicket, mountTicket, requireStill, type UsedTicket } from "./ticket.ts";

const media: Readonly<Record<SheetFormat, string>> = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  csv: "text/csv; charset=utf-8",
};
const files: Readonly<Record<SheetFormat, typeof xlsxFile>> = { xlsx: xlsxFile, csv: csvFile };

/** What a file is about, known before it is made. */
export interface FileFacts {
  /** What it is called. */
  readonly title: Message;
  readonly rows: number;
  /** Resource whose rows it has, for the operation log; null: it has none. */
  readonly resource: string | null;
}

export interface FileContent {
  readonly titles: readonly string[];
  readonly batches: AsyncIterable<readonly (readonly Cell[])[]>;
  readonly help?: readonly ColumnHelp[];
}

interface FileSpec<Input> {
  /** In the call; refuses what may not be asked for. */
  readonly describe: (input: Input, ctx: HandlerContext) => Promise<FileFacts>;
  /** In the download, out of one snapshot. Who lost a permission since is refused again. */
  readonly content: (input: Input, ctx: Context) => Promise<FileContent>;
}

type FileEndpoint<I extends z.ZodType> = Endpoint<I, typeof exportAnswer, false>;
type Loose = Readonly<Record<string, unknown>>;

/** A file as the download finds it again. */
interface MountedFile {
  readonly endpoint: FileEndpoint<z.ZodObject>;
  readonly spec: FileSpec<Loose>;
}

/** Files of an application, by the id of their call. */
const mountedOf = new WeakMap<FastifyInstance, Map<string, MountedFile>>();

const formatOf = ({ format }: Loose): SheetFormat => (format as SheetFormat | null) ?? "xlsx";

/** Mounts a call that gives a ticket for a file; who takes which rows goes into the operation log. */
export function mountFile<I extends z.ZodType>(
  app: FastifyInstance,
  endpoint: FileEndpoint<I>,
  spec: FileSpec<z.output<I>>,
): void {
  const plain = endpoint as unknown as FileEndpoint<z.ZodObject>;
  const loose = spec as unknown as FileSpec<Loose>;
  const mounted = mountedOf.get(app) ?? new Map<string, MountedFile>();
  mountedOf.set(app, mounted.set(endpoint.id, { endpoint: plain, spec: loose }));
  const start = async (input: Loose, ctx: HandlerContext) => ({
    input,
    ...(await loose.describe(input, ctx)),
  });
  const finish = async (
    { input, title, rows, resource }: Awaited<ReturnType<typeof start>>,
    caller: Caller,
  ): Promise<OutputOf<FileEndpoint<I>>> => {
    const { format: _format, zone: _zone, resource: _resource, query, ...filters } = input;
    const format = formatOf(input);
    const name = `${formatMessage(title, caller.language)}.${format}`;
    const ticket = await giveTicket(app.weft, caller, {
      purpose: "download",
      action: endpoint.id,
      content: { id: endpoint.id, name, query: z.encode(plain.input, input) },
      ...(resource !== null && {
        audit: {
          resource,
          rowId: null,
          old: null,
          enterpriseId: caller.enterpriseId,
          new: { format, rows, ...filters, ...(query as object | undefined) },
        },
      }),
    });
    return { ticket, name, rows };
  };
  mountInSteps(app, plain, start, finish);
}

const wanted = z.object({ id: z.string(), name: z.string(), query: z.record(z.string(), z.any()) });

/** Mounts the one path at which every ticket for a file is used. */
export function mountDownloads(app: FastifyInstance): void {
  mountTicket(app, {
    path: downloadPath,
    purpose: "download",
    async run(used, _request, reply) {
      const { id, name, query } = wanted.parse(used.content);
      const mounted = mountedOf.get(app)?.get(id);
      if (!mounted) refuse("notFound");
      requireStill(used.caller, mounted.endpoint.may);
      const checked = checkWire(mounted.endpoint.input, query);
      if (!checked.ok) refuseFields(checked.issues);
      const gone = goneSignal(reply);
      const end = await exportTurns.take(used.caller, gone);
      const job = { found: mounted, input: checked.value, gone };
      const file = await spoolFor(app.weft, used, job).finally(end);
      return sendFile(reply, file, name, formatOf(checked.value));
    },
  });
}

/** A file to be made. */
interface FileJob {
  readonly found: MountedFile;
  readonly input: Loose;
  /** Aborted when the browser has left. */
  readonly gone: AbortSignal;
}

/** Times that access is read for one download, each because it changed since the time before. */
const mostReads = 5;

/** Writes the file with what the user may do when its snapshot is taken, which others may have been waited for. */
async function spoolFor(api: Api, used: UsedTicket, job: FileJob): ReturnType<typeof spool> {
  let admitted: Admitted = used;
  for (let reads = 1; ; reads += 1) {
    requireStill(admitted.caller, job.found.endpoint.may);
    try {
      return await spool(api, admitted, job);
    } catch (error) {
      if (!isAccessChanged(error)) throw error;
      if (reads === mostReads) refuse("conflict");
    }
    admitted = await used.readmit();
  }
}

/**
 * Writes the file to disk, from one snapshot: a slow download holds no transaction open.
 * @returns its folder and path; the folder is the caller's to remove
 */
async function spool(
  api: Api,
  { caller, remembered }: Admitted,
  { found, input, gone }: FileJob,
): Promise<{ folder: string; path: string }> {
  const folder = await mkdtemp(join(tmpdir(), "weft-export-"));
  const path = join(folder, "sheet");
  try {
    const write = async (db: Transaction<Database>): Promise<void> => {
      const ctx = createContext(caller, db, found.endpoint.id);
      const { titles, batches, help } = await found.spec.content(input, ctx);
      const disk = await open(path, "wx", 0o600);
      const made = files[formatOf(input)](titles, batches, help);
      await pipeline(made, disk.createWriteStream(), { signal: gone });
    };
    const pool = poolFor(api.pools, caller.scope);
    await api.callTurns.run(pool, { caller, gone }, () =>
      scopedSnapshot(pool, caller.scope, write, { remembered, gone }),
    );
  } catch (error) {
    await rm(folder, { recursive: true });
    throw error;
  }
  return { folder, path };
}

function sendFile(
  reply: FastifyReply,
  { folder, path }: { folder: string; path: string },
  name: string,
  format: SheetFormat,
): FastifyReply {
  const source: Readable = createReadStream(path);
  const remove = () => rm(folder, { recursive: true, force: true });
  source.once("close", () => {
    remove().catch((error: unknown) => reply.log.warn({ err: error, folder }, "file not removed"));
  });
  // A browser that left ends the answer, and with it the file.
  reply.raw.once("close", () => source.destroy());
  return reply
    .type(media[format])
    .header("content-disposition", `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
    .send(source);
}
