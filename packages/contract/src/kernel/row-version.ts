/**
 * Whether a row is still what a form was filled from. Each row that can be edited carries a
 * version: two reads with the same version showed the same values of the fields that an edit may
 * change. A caller sends it back with an edit (field `rowVersion`, or header If-Match), which is
 * then refused when the row was changed meanwhile; without it the last write wins
 * (specification section 7 knows no versions).
 */
import { z } from "zod";
import * as codec from "#kernel/codec.ts";

/** Field of a row and of an edit. */
export const versionField = "rowVersion";

/** In a row. Absent where rows are returned by another call than the one that lists them. */
export const rowVersion = z.string().optional();

/** In an edit; empty or absent: the last write wins. */
export const expectedVersion = codec.text(64).optional();

/** The version that a row carries; null: none. */
export const versionOf = (row: object): string | null => {
  const version = (row as Record<string, unknown>)[versionField];
  return typeof version === "string" && version !== "" ? version : null;
};

/** Entity tag of a version (RFC 9110, 8.8.3): what If-Match takes and ETag returns. */
export const entityTag = (version: string): string => `"${version}"`;

/** One write that someone else made meanwhile. */
const change = z.object({
  loginName: z.string(),
  at: codec.instant,
  fields: z.array(
    z.object({
      field: z.string(),
      /** Name and values in the reader's language. */
      name: z.string(),
      old: z.string(),
      new: z.string(),
    }),
  ),
});

/** `data` of the refusal of a stale edit. */
export const staleRow = z.object({
  /** The version that the row has now. */
  [versionField]: z.string(),
  /** Fields of the draft as a list would return them now, in wire form. */
  current: z.record(z.string(), z.unknown()),
  /** The oldest first; empty where the reader may not see who wrote. */
  changes: z.array(change),
});
export type StaleRow = z.output<typeof staleRow>;

/**
 * What a version is of: a resource, or settings that one call reads and another writes whole. The name is
 * that of their rows in the operation log.
 */
export interface Versioned {
  readonly name: string;
  readonly row: z.ZodType;
  readonly draft: z.ZodType;
  readonly unversioned?: readonly string[];
  readonly verbs: readonly string[];
}

/** Settings whose read carries a version and whose write takes it. */
export const versionedSettings = (name: string, row: z.ZodType, draft: z.ZodType): Versioned => ({
  name,
  row,
  draft,
  // The version itself is no value of them.
  unversioned: [versionField],
  verbs: ["edit"],
});

type Shape = Readonly<Record<string, z.ZodType>>;
interface Fields {
  readonly row: z.ZodType;
  readonly draft: z.ZodType;
  readonly unversioned?: readonly string[];
}
const shapeOf = (schema: z.ZodType): Shape => (schema as z.ZodObject).shape as Shape;

/** Fields that an edit may change and a row shows, with their form in a row. */
export const versionFields = ({ row, draft, unversioned = [] }: Fields): [string, z.ZodType][] => {
  const editable = shapeOf(draft);
  return Object.entries(shapeOf(row)).filter(
    ([name]) => name in editable && !unversioned.includes(name),
  );
};
