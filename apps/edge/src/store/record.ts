/**
 * Files of the data folder. A record is JSON with the SHA-256 of its value beside it: a file that a
 * failing disk has changed is distinguished from one that says what was written.
 */
import { createHash } from "node:crypto";
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import { z } from "zod";
import type { Disk } from "./disk.ts";

export type Reading<Value> =
  | { readonly kind: "none" }
  | { readonly kind: "damaged" }
  | { readonly kind: "value"; readonly value: Value };

const envelope = z.strictObject({ sha256: z.string(), value: z.unknown() });
const temporary = ".tmp";

/** SHA-256 in hex of a text or of raw bytes. */
export const sha256 = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("hex");

/** SHA-256 in hex of a value's canonical text: what sections and heads are known by. */
export const digestOf = (value: unknown): string => sha256(canonicalJson(value));

/** Writes all files so that each is whole or as before, and durable when this resolves. */
export const writeFiles = async (
  disk: Disk,
  files: Iterable<readonly [name: string, text: string]>,
): Promise<void> => {
  const written: string[] = [];
  for (const [name, text] of files) {
    await disk.write(`${name}${temporary}`, Buffer.from(text));
    await disk.sync(`${name}${temporary}`);
    written.push(name);
  }
  for (const name of written) await disk.rename(`${name}${temporary}`, name);
  if (written.length > 0) await disk.syncFolder();
};

export const removeFiles = async (disk: Disk, names: readonly string[]): Promise<void> => {
  for (const name of names) await disk.remove(name);
  if (names.length > 0) await disk.syncFolder();
};

/** Removes what an interrupted write left behind, except files that others may write. */
export const sweep = async (disk: Disk, others: readonly string[]): Promise<void> => {
  const kept = others.map((name) => `${name}${temporary}`);
  const names = await disk.list();
  await removeFiles(
    disk,
    names.filter((name) => name.endsWith(temporary) && !kept.includes(name)),
  );
};

/** One kind of record: its file name and shape. */
export interface RecordKind<Value> {
  readonly name: string;
  readonly schema: z.ZodType<Value>;
}

export const writeRecord = <Value>(
  disk: Disk,
  kind: RecordKind<Value>,
  value: Value,
): Promise<void> => {
  const text = canonicalJson({ sha256: digestOf(value), value });
  return writeFiles(disk, [[kind.name, `${text}\n`]]);
};

export const readRecord = async <Value>(
  disk: Disk,
  kind: RecordKind<Value>,
): Promise<Reading<Value>> => {
  const bytes = await disk.read(kind.name);
  if (bytes === null) return { kind: "none" };
  try {
    const { sha256: hash, value } = envelope.parse(JSON.parse(Buffer.from(bytes).toString()));
    if (digestOf(value) !== hash) return { kind: "damaged" };
    return { kind: "value", value: kind.schema.parse(value) };
  } catch {
    return { kind: "damaged" };
  }
};
