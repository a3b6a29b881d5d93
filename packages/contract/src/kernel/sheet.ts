import { z } from "zod";
import type { Access } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { type Endpoint, endpoint, type MayInstead, type pageFields } from "#kernel/endpoint.ts";
import { failsWith } from "#kernel/rule.ts";

type Shape = z.ZodRawShape;

/** Where the file of a ticket is fetched: `?ticket=`. Not an endpoint: its answer is the file. */
export const downloadPath = "/customer/download";

/** Maximum number of rows of one export: what one sheet holds besides its head (ECMA-376, 1,048,576 rows). */
export const maxExported = 1_048_575;

/** Maximum number of rows of one imported file. */
export const maxImported = 5_000;

/** Kinds of file that rows go out as. */
export const sheetFormats = ["xlsx", "csv"] as const;
export type SheetFormat = (typeof sheetFormats)[number];

/** What spreadsheets take for a formula, behind apostrophes that this file put before such a text. */
const formulaLike = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
/** A text of a csv file that no spreadsheet takes for a formula (OWASP, CSV injection). */
export const escapeFormula = (text: string): string => (formulaLike.test(text) ? `'${text}` : text);
/** The text that `escapeFormula` was given. */
export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && formulaLike.test(text) ? text.slice(1) : text;

const isZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
};

export const exportFields = {
  /** Null: xlsx. */
  format: codec.orNull(codec.oneOf(sheetFormats)),
  /** Time zone of the reader (IANA name), in which the file has its times; null: UTC. */
  zone: codec.orNull(codec.text(64).refine((name) => isZone(name), failsWith("notAllowed"))),
};

/** A ticket for one download within 30 s, the name that the file will have, and its rows. */
export const exportAnswer = z.object({ ticket: z.string(), name: z.string(), rows: z.number() });

type ExportInput<Query extends Shape> = z.ZodObject<
  Omit<Query, keyof typeof pageFields> & typeof exportFields
>;
export type ExportEndpoint<Query extends Shape = Shape> = Endpoint<
  ExportInput<Query>,
  typeof exportAnswer,
  false
>;

interface ExportSpec {
  readonly id: string;
  /** As of an endpoint (kernel/endpoint.ts). */
  readonly addition?: string;
  readonly path: `/${string}`;
  readonly may: Access;
}

/**
 * The export of a list: takes the filters and the order of the list, and answers with a ticket for
 * the file (xlsx with the sheet "sheet1", or csv). Specification section 9.
 */
export const exportOf = <Query extends Shape>(
  list: Endpoint<z.ZodObject<Query>, z.ZodArray<z.ZodObject<Shape>>, true>,
  spec: ExportSpec,
): ExportEndpoint<Query> => {
  const { page: _page, limit: _limit, ...filters } = list.input.shape as Shape;
  const made = endpoint({
    ...spec,
    method: "GET",
    input: z.object({ ...filters, ...exportFields }),
    output: exportAnswer,
    secret: true,
  });
  // The shape is generic here, so what is left of it is widened; ExportEndpoint has the exact one.
  return made as unknown as ExportEndpoint<Query>;
};

/** Rules that a row of a file breaks. `row` is its number in the file, the head being row 1. */
const badRow = z.object({
  row: z.number(),
  issues: z.array(
    z.object({
      path: z.string(),
      rule: z.string(),
      params: z.record(z.string(), z.union([z.string(), z.number()])),
    }),
  ),
});
export type BadRow = z.output<typeof badRow>;

const importAnswer = z.object({
  /** Rows of the file. */
  rows: z.number(),
  /** Rows written: all, or none while it is only checked. */
  added: z.number(),
  bad: z.array(badRow),
  /** The file as it was read, so that a person sees what is about to be written. */
  shown: z.array(z.object({ row: z.number(), cells: z.record(z.string(), z.string()) })),
});

const importFields = {
  file: codec.file(),
  /** True: nothing is written, the answer says which rows would be refused. */
  check: codec.flag.default(false),
};

export interface ImportEndpoint<Owner extends Shape = Shape, Row extends Shape = Shape>
  extends Endpoint<z.ZodObject<Owner & typeof importFields>, typeof importAnswer, false> {
  /** One row of the file; its keys are the columns. */
  readonly row: z.ZodObject<Row>;
}

interface ImportSpec<Owner extends Shape, Row extends Shape> {
  readonly id: string;
  /** As of an endpoint (kernel/endpoint.ts). */
  readonly addition?: string;
  readonly path: `/${string}`;
  readonly may: Access;
  readonly mayInstead?: MayInstead;
  /** What all rows belong to: `{ nCpeID: codec.id }`. */
  readonly owner: Owner;
  readonly row: z.ZodObject<Row>;
}

/**
 * A call that takes rows out of an xlsx or csv file, all of them or none. The columns of the file
 * are found by their head: the field's name on the wire, or its text in either language.
 */
export const importOf = <Owner extends Shape, Row extends Shape>({
  owner,
  row,
  ...spec
}: ImportSpec<Owner, Row>): ImportEndpoint<Owner, Row> => ({
  ...endpoint({
    ...spec,
    method: "POST",
    input: z.object({ ...owner, ...importFields }) as z.ZodObject<Owner & typeof importFields>,
    output: importAnswer,
  }),
  row,
});
