/**
 * Contents of sections by hash: those of a node, and those of its spaces, which all members of a space share
 * (docs/adr/0037-space-networks.md).
 */
import { partsOf, wholeSections } from "@weft/contract/device/v1/space-parts.ts";
import { type Kysely, sql } from "kysely";
import type { Database } from "#db/schema.ts";

type Db = Kysely<Database>;

/** The space whose members share the section of this name; null: the section is the node's own. */
const spaceOf = (name: string): number | null => {
  const found = /^space\.(\d+)$/.exec(name);
  return found ? Number(found[1]) : null;
};

const spacesIn = (names: readonly string[]): number[] => [
  ...new Set(names.flatMap((name) => spaceOf(name) ?? [])),
];

/**
 * Contents of sections of a state by name, networks of a space in one piece; those that are gone are left out. The state's
 * head must have been read with the caller's own rights: it says which spaces' contents may be read.
 */
export async function readNamed(
  db: Db,
  nodeId: number,
  named: Readonly<Record<string, string>>,
): Promise<Map<string, unknown>> {
  const names = Object.keys(named);
  const spaces = spacesIn(names);
  const contents = await readContents(db, nodeId, spaces, Object.values(named));
  const stored = new Map(
    names.flatMap((name) => {
      const hash = named[name] as string;
      return contents.has(hash) ? [[name, contents.get(hash)] as const] : [];
    }),
  );
  const parts = await readParts(db, spaces, [...stored]);
  for (const [name, content] of stored)
    if (partsOf(name, content).some((hash) => !parts.has(hash))) stored.delete(name);
  return wholeSections(stored, (hash) => parts.get(hash));
}

/** Parts that sections name, by hash; those that are gone are left out. */
export async function readParts(
  db: Db,
  spaces: readonly number[],
  sections: readonly (readonly [name: string, content: unknown])[],
): Promise<ReadonlyMap<string, unknown>> {
  const hashes = [...new Set(sections.flatMap(([name, content]) => partsOf(name, content)))];
  if (hashes.length === 0) return new Map();
  const { rows } = await sql<{ hash: string; content: unknown }>`
    select hash, content from weft.space_contents(${[...spaces]}::bigint[], ${hashes}::text[])`.execute(
    db,
  );
  return new Map(rows.map(({ hash, content }) => [hash, content]));
}

/** Contents by hash, of the node and of these spaces. */
async function readContents(
  db: Db,
  nodeId: number,
  spaces: readonly number[],
  hashes: readonly string[],
): Promise<Map<string, unknown>> {
  const { rows } = await sql<{ hash: string; content: unknown }>`
    select hash, content from state_section
      where node_id = ${nodeId} and hash = any(${[...hashes]}::text[])
    union all
    select hash, content from weft.space_contents(${[...spaces]}::bigint[], ${[...hashes]}::text[])`.execute(
    db,
  );
  return new Map(rows.map(({ hash, content }) => [hash, content]));
}

interface Owner {
  readonly nodeId: number;
  readonly enterpriseId: number;
}

/** A section to be written. */
export interface NewContent {
  readonly name: string;
  readonly hash: string;
  readonly content: unknown;
  /** Parts that it names, by hash; absent: none. */
  readonly parts?: ReadonlyMap<string, unknown>;
}

/** Writes contents that are not there yet. */
export async function writeContents(
  db: Db,
  { nodeId, enterpriseId }: Owner,
  contents: readonly NewContent[],
): Promise<void> {
  const own = contents.filter(({ name }) => spaceOf(name) === null);
  if (own.length > 0) {
    await db
      .insertInto("state_section")
      .values(
        own.map(({ hash, content }) => ({
          node_id: nodeId,
          hash,
          enterprise_id: enterpriseId,
          content: JSON.stringify(content),
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await writeSpaces(
    db,
    contents.filter(({ name }) => spaceOf(name) !== null),
  );
}

/** Writes sections of spaces with the parts that they name. */
export function writeSpaces(db: Db, contents: readonly NewContent[]): Promise<void> {
  const shared = contents.flatMap(({ name, hash, content, parts = new Map() }) => {
    const spaceId = spaceOf(name);
    if (spaceId === null) throw new Error(`section ${name} is of no space`);
    const named = [...parts].map(([of, part]) => ({ spaceId, hash: of, content: part }));
    return [{ spaceId, hash, content }].concat(named);
  });
  return writeShared(db, shared);
}

interface SharedContent {
  readonly spaceId: number;
  readonly hash: string;
  readonly content: unknown;
}

/**
 * Writes contents of spaces. What is there already is used again: its removal, which is due a day after it was used,
 * is put off before a head names it.
 */
async function writeShared(db: Db, contents: readonly SharedContent[]): Promise<void> {
  if (contents.length === 0) return;
  const wanted = await withoutFresh(db, contents);
  if (wanted.length === 0) return;
  // All writers take rows in one order.
  const rows = wanted.toSorted((one, other) => (one.hash < other.hash ? -1 : 1));
  const spaces = rows.map(({ spaceId }) => spaceId);
  const hashes = rows.map(({ hash }) => hash);
  const texts = rows.map(({ content }) => JSON.stringify(content));
  await sql`
    insert into space_section (space_id, hash, content)
    select w.space_id, w.hash, w.content::jsonb
    from unnest(${spaces}::bigint[], ${hashes}::text[], ${texts}::text[]) as w (space_id, hash, content)
    on conflict (space_id, hash) do update set used_at = now()`.execute(db);
}

/** Those that were not used within the last hour. */
async function withoutFresh(
  db: Db,
  contents: readonly SharedContent[],
): Promise<readonly SharedContent[]> {
  const keyOf = (one: { readonly spaceId: number; readonly hash: string }) =>
    `${one.spaceId} ${one.hash}`;
  const once = new Map(contents.map((one) => [keyOf(one), one]));
  const spaces = [...once.values()].map(({ spaceId }) => spaceId);
  const hashes = [...once.values()].map(({ hash }) => hash);
  const { rows } = await sql<{ spaceId: number; hash: string }>`
    select s.space_id as "spaceId", s.hash
    from unnest(${spaces}::bigint[], ${hashes}::text[]) as w (space_id, hash)
    join space_section s on s.space_id = w.space_id and s.hash = w.hash
    where s.used_at > now() - interval '1 hour'`.execute(db);
  for (const row of rows) once.delete(keyOf(row));
  return [...once.values()];
}
