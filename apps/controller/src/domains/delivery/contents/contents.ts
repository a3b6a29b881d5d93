/**
 * Contents of sections by hash: those of a node, and those of its spaces, which all members of a space share
 * (docs/adr/0037-space-networks.md).
 */
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
 * Contents of sections of a state by name; those that are gone are left out. The state's head must have been read with
 * the caller's own rights: it says which spaces' contents may be read.
 */
export async function readNamed(
  db: Db,
  nodeId: number,
  named: Readonly<Record<string, string>>,
): Promise<Map<string, unknown>> {
  const names = Object.keys(named);
  const contents = await readContents(db, nodeId, spacesIn(names), Object.values(named));
  return new Map(
    names.flatMap((name) => {
      const hash = named[name] as string;
      return contents.has(hash) ? [[name, contents.get(hash)] as const] : [];
    }),
  );
}

/** Contents by hash, of the node and of these spaces. */
export async function readContents(
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
interface NewContent {
  readonly name: string;
  readonly hash: string;
  readonly content: unknown;
}

/** Writes contents that are not there yet. */
export async function writeContents(
  db: Db,
  { nodeId, enterpriseId }: Owner,
  contents: readonly NewContent[],
): Promise<void> {
  const shared: SharedContent[] = [];
  const own: { node_id: number; hash: string; enterprise_id: number; content: string }[] = [];
  for (const { name, hash, content } of contents) {
    const spaceId = spaceOf(name);
    if (spaceId !== null) shared.push({ spaceId, hash, content });
    else
      own.push({
        node_id: nodeId,
        hash,
        enterprise_id: enterpriseId,
        content: JSON.stringify(content),
      });
  }
  if (own.length > 0) {
    await db
      .insertInto("state_section")
      .values(own)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  await writeShared(db, shared);
}

export interface SharedContent {
  readonly spaceId: number;
  readonly hash: string;
  readonly content: unknown;
}

/**
 * Writes contents of spaces. What is there already is used again: its removal, which is due a day after it was used,
 * is put off before a head names it.
 */
export async function writeShared(db: Db, contents: readonly SharedContent[]): Promise<void> {
  if (contents.length === 0) return;
  // All writers take rows in one order.
  const rows = contents.toSorted((one, other) => (one.hash < other.hash ? -1 : 1));
  const spaces = rows.map(({ spaceId }) => spaceId);
  const hashes = rows.map(({ hash }) => hash);
  const texts = rows.map(({ content }) => JSON.stringify(content));
  await sql`
    insert into space_section as s (space_id, hash, content)
    select w.space_id, w.hash, w.content::jsonb
    from unnest(${spaces}::bigint[], ${hashes}::text[], ${texts}::text[]) as w (space_id, hash, content)
    where not exists (select from space_section c where c.space_id = w.space_id and c.hash = w.hash
      and c.used_at > now() - interval '1 hour')
    on conflict (space_id, hash) do update set used_at = now()`.execute(db);
}
