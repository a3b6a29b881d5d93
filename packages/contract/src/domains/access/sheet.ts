/**
 * Files of rows, the same three calls for every resource that allows them (ResourceSpec.sheet): what was
 * exported can be imported unchanged. Which resource is meant, and whose rows, are fields of the call, so
 * the permission is that of the resource (kernel/sheet-rule.ts).
 */

import { z } from "zod";
import { everySession } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint } from "#kernel/endpoint.ts";
import { exportAnswer, exportFields } from "#kernel/sheet.ts";
import { ownPassword } from "#rules/text.ts";

/** Fields of a list in JSON: filters and order, or whose rows are meant (`{"nCpeID":7}`). */
const jsonFields = z.codec(
  z.string().max(4_000).optional(),
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  {
    decode: (text, context) => {
      try {
        const read: unknown = JSON.parse(text === undefined || text === "" ? "{}" : text);
        if (typeof read === "object" && read !== null && !Array.isArray(read)) return read as never;
      } catch {
        // Refused below.
      }
      context.issues.push({ code: "custom", input: text, params: { rule: "notAllowed" } });
      return z.NEVER;
    },
    encode: (fields) => JSON.stringify(fields),
  },
);

/** Name of a resource: "cug", "routerUrl.manage". */
const resource = codec.text(64, 1);

const why =
  "what was exported can be imported unchanged, for every list and not for accounts alone";

/** A file with the rows of a list, under its filters and in its order. */
export const sheetExport = endpoint({
  id: "sheet.export",
  addition: why,
  method: "GET",
  path: "/customer/sheet/export",
  input: z.object({ resource, query: jsonFields, ...exportFields }),
  output: exportAnswer,
  secret: true,
  may: everySession("it asks for what the list of the rows asks for"),
});

/** An empty file with the columns of a resource, the values that they take, and what is required. */
export const sheetTemplate = endpoint({
  id: "sheet.template",
  addition: why,
  method: "GET",
  path: "/customer/sheet/template",
  input: z.object({ resource, inside: jsonFields, zone: exportFields.zone }),
  output: exportAnswer,
  secret: true,
  may: everySession("it asks for what adding and editing the rows ask for"),
});

/** What an import may do to rows that exist: nothing, or change them. It never removes one. */
export const importModes = ["add", "change"] as const;

/** What becomes of a row of the file. `kept`: it exists and differs, and the mode is to add only. */
export const importStates = ["new", "changed", "unchanged", "kept", "bad"] as const;

const issue = z.object({
  /** Name of the field; empty: the row itself. */
  path: z.string(),
  /** What the column is called; empty: the row itself. */
  title: z.string(),
  /** Of the cell, as it is in the file. */
  value: z.string(),
  /** The rule that it breaks, in the reader's language. */
  text: z.string(),
});

const importedRow = z.object({
  /** Number in the file; the head is row 1. */
  row: z.number(),
  state: z.enum(importStates),
  /** As in the file, in its order. */
  cells: z.array(z.string()),
  issues: z.array(issue),
  /** In the reader's language; of a row that changes. */
  differences: z.array(z.object({ title: z.string(), old: z.string(), new: z.string() })),
});

const importAnswer = z.object({
  /** True: the rows were written. */
  done: z.boolean(),
  /** Rows of the file by what becomes of them. */
  counts: z.record(z.enum(importStates), z.number()),
  /** Enterprises in which rows are added or changed, and the row that they belong to, by name. */
  targets: z.array(z.object({ name: z.string(), rows: z.number() })),
  owner: z.string().nullable(),
  /** The heads of the file. */
  head: z.array(z.string()),
  /** Heads that no column has, and those of columns that an import does not read. */
  unknown: z.array(z.string()),
  unread: z.array(z.string()),
  rows: z.array(importedRow),
  /** What a check found, for the call that writes: another result refuses it. */
  plan: z.string(),
});

/**
 * Rows out of an xlsx or csv file, all of them or none unless the caller leaves out wrong ones. A row that exists, by its id or by what its kind is
 * known by, is compared; the others are new.
 */
export const sheetImport = endpoint({
  id: "sheet.import",
  addition: why,
  method: "POST",
  path: "/customer/sheet/import",
  input: z.object({
    resource,
    /** Whose rows they are; of rows of an enterprise, the one that counts where a row names none. */
    inside: jsonFields,
    mode: codec.oneOf(importModes).default("add"),
    zone: exportFields.zone,
    file: codec.file(),
    /** True: wrong rows stay out and the others are written; false: one keeps all of them out. */
    skipBad: codec.flag.default(false),
    /** True: nothing is written, the answer says what would be. */
    check: codec.flag.default(false),
    /** Of the check before it; empty: whatever the file and the rows are by now. */
    plan: codec.orNull(codec.text(64)),
    /** The caller's own password, needed for rows that decide who logs in (users and roles); a check needs none. */
    oldPsw: ownPassword,
  }),
  output: importAnswer,
  may: everySession("it asks for what adding and editing the rows ask for"),
});
