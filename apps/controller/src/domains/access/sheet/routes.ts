import { sheetExport, sheetImport, sheetTemplate } from "@weft/contract/domains/access/sheet.ts";
import type { FastifyInstance } from "fastify";
import { mountAfter } from "#kernel/mount.ts";
import { importTurns } from "#transfer/file-turns.ts";
import { mountFile } from "#transfer/mount-file.ts";
import { readOwner } from "./answer.ts";
import { templateContent, templateTitle } from "./file.ts";
import { importFile, requireTarget } from "./import.ts";
import { readFile } from "./read-file.ts";
import { describeRows, rowsContent } from "./rows-file.ts";
import { requireMay, subjectOf } from "./subject.ts";

/** Files of rows of every resource that allows them, out and in. */
export function sheetRoutes(app: FastifyInstance): void {
  mountFile(app, sheetExport, {
    describe: ({ resource, query }, ctx) => describeRows(app.weft, ctx, resource, query),
    content: async ({ resource, query, zone }, ctx) =>
      rowsContent(app.weft, ctx, { resource, query, zone }),
  });
  mountFile(app, sheetTemplate, {
    async describe({ resource, inside }, ctx) {
      const subject = subjectOf(app.weft, resource, inside);
      requireMay(ctx.caller, subject, "import");
      await readOwner(ctx, subject);
      return { title: templateTitle(subject), rows: 0, resource: null };
    },
    async content({ resource, inside, zone }, ctx) {
      const subject = subjectOf(app.weft, resource, inside);
      requireMay(ctx.caller, subject, "import");
      return templateContent(ctx, subject, { language: ctx.caller.language, zone: zone ?? "UTC" });
    },
  });
  mountAfter(
    app,
    sheetImport,
    // A file is read before the transaction, which would hold its connection meanwhile.
    async (input, { caller, gone, read, atEnd }) => {
      const subject = subjectOf(app.weft, input.resource, input.inside);
      requireMay(caller, subject, "import");
      atEnd(await importTurns.take(caller, gone));
      await read((ctx) => requireTarget(ctx, subject, input));
      const file = await readFile(subject.fields, input.file, gone);
      return { subject, file };
    },
    (input, ctx, { subject, file }) => importFile(ctx, subject, { ...input, file }),
    { unaudited: "a check writes nothing; an import writes one row of the log a row" },
  );
}
