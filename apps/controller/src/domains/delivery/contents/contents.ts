/**
 * Contents of sections by hash: those of a node, and those of its spaces, which all members of a space share
 * (docs/adr/0037-space-networks.md).
 */
import { partsOf, wholeSections } from "@weft/contract/device/v1/space.ts";
import { type Kysely, sql } from "kysely";
import type { Database } from "#db/schema.ts";

type Db = Kysely<Database>;

/** The space whose members share the section of this name; null: the section is the node's own. */
const spaceOf = (name: string): number | null => {
  const match = /^space\.(\d+)$/.exec(name);
  return match ? Number(match[1]) : null;
};

const spacesIn = (names: readonly string[]): number[] => [
  ...new Set(names.flatMap((name) => spaceOf(name) ?? [])),
];

/** Sections of a state of a node, by name. */
export interface NamedSections {
  readonly nodeId: number;
  readonly named: Readonly<Record<string, string>>;
}

/**
 * Contents of sections of a state by name, networks of a space in one piece; those that are gone are left out. The state's
 * head must have been read with the caller's own rights: it says which spaces' contents may be read.
 */
export async function readNamed(
  db: Db,
  nodeId: number,
  named: Readonly<Record<string, string>>,
): Promise<Map<string, unknown>> {
  return (await readNamedOf(db, [{ nodeId, named }])).get(nodeId) ?? new Map();
}

/** As `readNamed`, of states of different nodes. */
export async function readNamedOf(
  db: Db,
  states: readonly NamedSections[],
): Promise<ReadonlyMap<number, Map<string, unknown>>> {
  const requested = states.filter(({ named }) => Object.keys(named).length > 0);
  if (requested.length === 0) return new Map(states.map(({ nodeId }) => [nodeId, new Map()]));
  const spaces = [...new Set(requested.flatMap(({ named }) => spacesIn(Object.keys(named))))];
  const { own, shared } = await readContents(db, requested, spaces);
  const stored = new Map(
    requested.map(({ nodeId, named }) => {
      const contents = Object.entries(named).flatMap(([name, hash]) => {
        const from = spaceOf(name) === null ? own.get(nodeId) : shared;
        return from?.has(hash) ? [[name, from.get(hash)] as const] : [];
      });
      return [nodeId, new Map<string, unknown>(contents)];
    }),
  );
  const parts = await readParts(
    db,
    spaces,
    [...stored.values()].flatMap((one) => [...one]),
  );
  return new Map(
    states.map(({ nodeId }) => {
      const of = stored.get(nodeId) ?? new Map<string, unknown>();
      for (const [name, content] of of)
        if (partsOf(name, content).some((hash) => !parts.has(hash))) of.delete(name);
      return [nodeId, wholeSections(of, (hash) => parts.get(hash))];
    }),
  );
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

/** Contents by hash: of each node, and of these spaces. */
async function readContents(
  db: Db,
  states: readonly NamedSections[],
  spaces: readonly number[],
): Promise<{
  readonly own: ReadonlyMap<number, ReadonlyMap<string, unknown>>;
  readonly shared: ReadonlyMap<string, unknown>;
}> {
  const all = states.flatMap(({ nodeId, named }) =>
    Object.entries(named).map(([name, hash]) => ({ nodeId, hash, isOwn: spaceOf(name) === null })),
  );
  const owned = all.filter(({ isOwn }) => isOwn);
  const hashes = [...new Set(all.flatMap(({ isOwn, hash }) => (isOwn ? [] : [hash])))];
  const { rows } = await sql<{ node: number | null; hash: string; content: unknown }>`
    select s.node_id as node, s.hash, s.content
      from unnest(${owned.map(({ nodeId }) => nodeId)}::bigint[],
        ${owned.map(({ hash }) => hash)}::text[]) as w (node_id, hash)
      join state_section s on s.node_id = w.node_id and s.hash = w.hash
    union all
    select null, hash, content from weft.space_contents(${[...spaces]}::bigint[], ${hashes}::text[])`.execute(
    db,
  );
  const found = Map.groupBy(rows, ({ node }) => node);
  const byHash = (some: typeof rows) => new Map(some.map(({ hash, content }) => [hash, content]));
  return {
    own: new Map(
      [...found].flatMap(([node, some]) => (node === null ? [] : [[node, byHash(some)] as const])),
    ),
    shared: byHash(found.get(null) ?? []),
  };
}

/** A section to be written. */
export interface NewContent {
  readonly name: string;
  readonly hash: string;
  /** JSON in the canonical form that `hash` is taken over. */
  readonly text: string;
  /** Texts of the parts that it names, by hash; absent: none. */
  readonly parts?: ReadonlyMap<string, string>;
}

/** Sections of a node that are to be written. */
export interface ContentsOfNode {
  readonly nodeId: number;
  readonly enterpriseId: number;
  readonly contents: readonly NewContent[];
}

/** Bytes of sections that one statement writes, about. */
const statementBytes = 4_000_000;

/** Writes contents that are not there yet. */
export async function writeContents(db: Db, nodes: readonly ContentsOfNode[]): Promise<void> {
  const ownContents = nodes.flatMap(({ nodeId, enterpriseId, contents }) =>
    contents.flatMap(({ name, hash, text }) =>
      spaceOf(name) === null ? [{ nodeId, enterpriseId, hash, text }] : [],
    ),
  );
  for (const some of bySize(ownContents)) await writeOwn(db, some);
  await writeSpaces(
    db,
    nodes.flatMap(({ contents }) => contents.filter(({ name }) => spaceOf(name) !== null)),
  );
}

interface OwnContent {
  readonly nodeId: number;
  readonly enterpriseId: number;
  readonly hash: string;
  readonly text: string;
}

/** Parts of a list that one statement each writes. */
function* bySize(all: readonly OwnContent[]): Generator<readonly OwnContent[]> {
  let some: OwnContent[] = [];
  let bytes = 0;
  for (const ownContent of all) {
    if (some.length > 0 && bytes + ownContent.text.length > statementBytes) {
      yield some;
      some = [];
      bytes = 0;
    }
    some.push(ownContent);
    bytes += ownContent.text.length;
  }
  if (some.length > 0) yield some;
}

async function writeOwn(db: Db, contents: readonly OwnContent[]): Promise<void> {
  // As one text: in a list each of them would have every quotation mark escaped once more.
  const rows = contents.map(
    ({ nodeId, enterpriseId, hash, text }) =>
      `{"node_id":${nodeId},"enterprise_id":${enterpriseId},"hash":"${hash}","content":${text}}`,
  );
  await sql`
    insert into state_section (node_id, enterprise_id, hash, content)
    select node_id, enterprise_id, hash, content
    from json_to_recordset(${`[${rows.join(",")}]`}::json)
      as w (node_id bigint, enterprise_id bigint, hash text, content json)
    on conflict do nothing`.execute(db);
}

/** Writes sections of spaces with the parts that they name. */
export function writeSpaces(db: Db, contents: readonly NewContent[]): Promise<void> {
  const shared = contents.flatMap(({ name, hash, text, parts = new Map<string, string>() }) => {
    const spaceId = spaceOf(name);
    if (spaceId === null) throw new Error(`section ${name} is of no space`);
    const named = [...parts].map(([of, part]) => ({ spaceId, hash: of, text: part }));
    return [{ spaceId, hash, text }].concat(named);
  });
  return writeShared(db, shared);
}

interface SharedContent {
  readonly spaceId: number;
  readonly hash: string;
  readonly text: string;
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
  const rows = wanted.toSorted((a, b) => (a.hash < b.hash ? -1 : 1));
  const spaces = rows.map(({ spaceId }) => spaceId);
  const hashes = rows.map(({ hash }) => hash);
  const texts = rows.map(({ text }) => text);
  await sql`
    insert into space_section (space_id, hash, content)
    select w.space_id, w.hash, w.content::json
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
  const once = new Map(contents.map((content) => [keyOf(content), content]));
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
