/** The file with the rows of a list, for the call of every list and for those of the specification. */
import type { Message } from "@weft/contract/kernel/message.ts";
import type { ExportEndpoint } from "@weft/contract/kernel/sheet.ts";
import type { FastifyInstance } from "fastify";
import type { Api, Context, HandlerContext } from "#kernel/api.ts";
import { requireRoom } from "#transfer/mount-export.ts";
import { type FileContent, type FileFacts, mountFile } from "#transfer/mount-file.ts";
import { exportContent } from "./file.ts";
import { countRows, type Loose, queryOf, requireMay, subjectOf } from "./subject.ts";

export async function describeRows(
  api: Api,
  ctx: HandlerContext,
  resource: string,
  query: Loose,
): Promise<FileFacts> {
  const subject = subjectOf(api, resource, query);
  requireMay(ctx.caller, subject, "export");
  const rows = requireRoom(await countRows(ctx, subject, queryOf(subject, query)));
  return { title: subject.resource.title as Message, rows, resource: subject.resource.name };
}

interface RowsQuery {
  readonly resource: string;
  readonly query: Loose;
  readonly zone: string | null;
}

export function rowsContent(
  api: Api,
  ctx: Context,
  { resource, query, zone }: RowsQuery,
): FileContent {
  const subject = subjectOf(api, resource, query);
  requireMay(ctx.caller, subject, "export");
  const reader = { language: ctx.caller.language, zone: zone ?? "UTC" };
  return exportContent(ctx, subject, queryOf(subject, query), reader);
}

/** Mounts an export that the specification has; its file can be imported like every other. */
export function mountRowsExport<E extends ExportEndpoint>(
  app: FastifyInstance,
  endpoint: E,
  resource: string,
): void {
  mountFile(app, endpoint as unknown as ExportEndpoint, {
    describe: ({ format: _format, zone: _zone, ...query }, ctx) =>
      describeRows(app.weft, ctx, resource, wireOf(query)),
    content: async ({ format: _format, zone, ...query }, ctx) =>
      rowsContent(app.weft, ctx, {
        resource,
        query: wireOf(query),
        zone: (zone as string | null) ?? null,
      }),
  });
}

/** Unset filters are left out. */
const wireOf = (query: Loose): Loose =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null));
