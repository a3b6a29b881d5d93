/**
 * States of nodes for which nothing but the networks of other sites changed (docs/adr/0037-space-networks.md): the
 * newest one of each with another list of networks, many of them in one transaction and without a compile.
 */
import {
  type SpaceSection,
  spaceIndex,
  spaceSection,
  wholeSections,
} from "@weft/contract/device/v1/space.ts";
import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { withTriedNodeLocks } from "#db/locks.ts";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import { keptNetworks } from "#domains/delivery/compile/public.ts";
import { type NewContent, readParts, writeSpaces } from "#domains/delivery/contents/public.ts";
import { isFewRemovals } from "#domains/delivery/guard/public.ts";
import { differences } from "#domains/delivery/history/public.ts";
import { publishStates } from "#domains/delivery/lifecycle/public.ts";
import { endMarks, type Mark } from "./marks.ts";
import { sha256, storedAs } from "./state-content.ts";

type Trx = Transaction<Database>;

/** What became of the marks of some nodes; of all others another process compiles the node now. */
export interface NetworksPublished {
  /** Nodes with a new state. */
  readonly published: readonly number[];
  /** Nodes that have the list already. */
  readonly unchanged: readonly number[];
  /** Nodes that have to be compiled in full. */
  readonly left: readonly number[];
}

/** Works on nodes whose mark says `networks_only`. @throws what the database throws: nothing is written then */
export function publishNetworks(
  pools: Pools<Database>,
  nodeIds: readonly number[],
): Promise<NetworksPublished> {
  return pools.worker.db
    .connection()
    .execute((db) => withTriedNodeLocks(db, nodeIds, (held) => publishLocked(db, held)));
}

/** Has nodes compiled in full that are marked for another list of networks. */
export async function leaveToCompile(
  pools: Pools<Database>,
  nodeIds: readonly number[],
): Promise<void> {
  await pools.worker.db
    .updateTable("compile_mark")
    .set({ networks_only: false })
    .where(sql<boolean>`node_id = any(${[...nodeIds]}::bigint[])`)
    .execute();
}

/** The snapshot is taken with the locks held: no compile of these nodes ends between the two. */
async function publishLocked(
  db: Kysely<Database>,
  nodeIds: readonly number[],
): Promise<NetworksPublished> {
  const { marks, result } = await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (trx) => {
      const marks = await readMarks(trx, nodeIds);
      return { marks, result: await publishMarked(trx, marks) };
    });
  const done = new Set([...result.published, ...result.unchanged]);
  await endMarks(
    db,
    marks.filter((mark) => done.has(mark.node_id)),
  );
  return result;
}

const readMarks = (trx: Trx, nodeIds: readonly number[]): Promise<Mark[]> =>
  trx
    .selectFrom("compile_mark")
    .selectAll()
    .where(sql<boolean>`node_id = any(${[...nodeIds]}::bigint[])`)
    .where("networks_only", "=", true)
    .orderBy("node_id")
    .execute();

type StateRow = Selectable<Database["node_state"]>;
type Newest = Pick<
  StateRow,
  | "node_id"
  | "enterprise_id"
  | "epoch"
  | "serial"
  | "sections"
  | "outcome"
  | "held"
  | "restores"
  | "template_id"
  | "template_version"
  | "template_unmet"
> & {
  /** Spaces that the node is in. */
  readonly spaces: readonly number[];
  /** Its state has more of other sites' networks than the list, or may have. */
  readonly hasMore: boolean;
};

async function readNewest(trx: Trx, nodeIds: readonly number[]): Promise<Newest[]> {
  const { rows } = await sql<Newest>`
    select s.node_id, s.enterprise_id, s.epoch, s.serial, s.sections, s.outcome, s.held, s.restores,
      s.template_id, s.template_version, s.template_unmet,
      array(select m.space_id from weft.space_member m where m.node_id = s.node_id) as spaces,
      s.sections ? 'site' or s.node_id = any (
        array(select weft.networks_in_state(${[...nodeIds]}::bigint[]))) as "hasMore"
    from unnest(${[...nodeIds]}::bigint[]) as w (id)
    cross join lateral (
      select * from node_state n where n.node_id = w.id order by n.epoch desc, n.serial desc limit 1) s`.execute(
    trx,
  );
  return rows;
}

const spacesNamed = (sections: Readonly<Record<string, string>>): number[] =>
  Object.keys(sections).flatMap((name) => {
    const [kind, space] = name.split(".");
    return kind === "space" ? [Number(space)] : [];
  });

const nameOf = (spaceId: number): string => `space.${spaceId}`;

async function publishMarked(trx: Trx, marks: readonly Mark[]): Promise<NetworksPublished> {
  const nodeIds = marks.map(({ node_id }) => node_id);
  // Lists are read with the owner's rights; contents of nodes are written for these enterprises.
  const enterprises = [...new Set(marks.map(({ enterprise_id }) => enterprise_id))];
  await sql`select set_config('weft.scope', ${enterprises}::bigint[]::text, true)`.execute(trx);
  const found = new Map((await readNewest(trx, nodeIds)).map((row) => [row.node_id, row]));
  const { epoch } = await trx.selectFrom("installation").select("epoch").executeTakeFirstOrThrow();
  const lists = await readLists(trx, [...found.values()]);
  const result = { published: [] as number[], unchanged: [] as number[], left: [] as number[] };
  const states: Parameters<typeof publishStates>[1][number][] = [];
  for (const mark of marks) {
    const row = found.get(mark.node_id);
    const next = row && isPlain(row, mark, epoch) ? lists.next(row.sections) : null;
    if (!row || next === null) result.left.push(mark.node_id);
    else if (next === "same") result.unchanged.push(mark.node_id);
    else {
      const head = { epoch, serial: row.serial + 1, sections: { ...row.sections, ...next } };
      result.published.push(mark.node_id);
      states.push({ ...carriedOver(row, mark), head, digest: sha256(head), held: false });
    }
  }
  if (states.length > 0) {
    await writeSpaces(trx, lists.contents());
    await publishStates(trx, states);
  }
  return result;
}

/** Whether the next state of a node may be its newest one with another list. */
const isPlain = (row: Newest, mark: Mark, epoch: number): boolean =>
  row.epoch === epoch &&
  // The first one since the node moved is compiled: contents are written for its enterprise.
  row.enterprise_id === mark.enterprise_id &&
  !row.held &&
  row.outcome !== "held" &&
  row.outcome !== "superseded" &&
  !row.hasMore &&
  spacesNamed(row.sections).every((space) => row.spaces.includes(space));

/** What of the newest state and the mark the next state has. */
const carriedOver = (row: Newest, mark: Mark) => ({
  nodeId: row.node_id,
  enterpriseId: row.enterprise_id,
  restores: row.restores,
  template:
    row.template_id === null || row.template_version === null
      ? null
      : {
          templateId: row.template_id,
          version: row.template_version,
          unmet: row.template_unmet,
        },
  cause: mark.cause,
  causes: mark.causes,
  createdBy: mark.created_by,
});

interface Lists {
  /**
   * Hashes of the sections that are others now, by name; "same": none is. Null: a list is not stored as one of the
   * space, or more networks go than go without being weighed by what was written.
   */
  next(
    sections: Readonly<Record<string, string>>,
  ): Readonly<Record<string, string>> | "same" | null;
  /** All lists that `next` named. */
  contents(): readonly NewContent[];
}

/** A list as it was stored, whole, and what is stored of the next one. */
interface List {
  readonly spaceId: number;
  readonly old: SpaceSection;
  readonly now: SpaceSection;
  readonly next: NewContent;
}

async function readLists(trx: Trx, rows: readonly Newest[]): Promise<Lists> {
  const spaces = [...new Set(rows.flatMap(({ sections }) => spacesNamed(sections)))];
  const lists = await nextLists(trx, spaces, rows);
  const made = new Map<string, NewContent>();
  /** Many members have the same lists before and now: each pair is compared once. */
  const few = new Map<string, boolean>();
  const isFew = (changed: readonly List[], key: string): boolean => {
    const known = few.get(key);
    if (known !== undefined) return known;
    const all = (side: "old" | "now") =>
      new Map(changed.map((list) => [nameOf(list.spaceId), list[side]]));
    const answer = isFewRemovals(differences(all("old"), all("now")));
    few.set(key, answer);
    return answer;
  };
  return {
    next(sections) {
      const changed: List[] = [];
      const pairs: string[] = [];
      for (const space of spacesNamed(sections)) {
        const hash = sections[nameOf(space)] as string;
        const list = lists.get(`${space} ${hash}`);
        if (!list) return null;
        if (list.next.hash === hash) continue;
        changed.push(list);
        pairs.push(`${space} ${hash} ${list.next.hash}`);
      }
      if (changed.length === 0) return "same";
      if (!isFew(changed, pairs.join())) return null;
      for (const { next } of changed) made.set(`${next.name} ${next.hash}`, next);
      return Object.fromEntries(changed.map(({ next }) => [next.name, next.hash]));
    },
    contents: () => [...made.values()],
  };
}

/** What follows each list that a head names, by its space and hash. */
async function nextLists(
  trx: Trx,
  spaces: readonly number[],
  rows: readonly Newest[],
): Promise<ReadonlyMap<string, List>> {
  const named = new Map(
    rows.flatMap(({ sections }) =>
      spacesNamed(sections).map((space) => {
        const hash = sections[nameOf(space)] as string;
        return [`${space} ${hash}`, { space, hash }] as const;
      }),
    ),
  );
  const networks = await readNetworks(trx, spaces);
  const hashes = [...named.values()].map(({ hash }) => hash);
  const { rows: found } = await sql<{ hash: string; content: unknown }>`
    select hash, content from weft.space_contents(${[...spaces]}::bigint[], ${hashes}::text[])`.execute(
    trx,
  );
  const stored = new Map(found.map(({ hash, content }) => [hash, content]));
  const of = [...named].flatMap(([key, { space, hash }]) =>
    stored.has(hash) ? [{ key, space, content: stored.get(hash) }] : [],
  );
  const parts = await readParts(
    trx,
    spaces,
    of.map(({ space, content }) => [nameOf(space), content]),
  );
  return new Map(
    of.map(({ key, space, content }) => {
      const name = nameOf(space);
      const whole = wholeSections(new Map([[name, content]]), (hash) => parts.get(hash)).get(name);
      const old = spaceSection.parse(whole);
      const now = { ...old, networks: networks.get(space) ?? [] };
      const isDivided = spaceIndex.safeParse(content).success;
      const next = storedAs(name, now, new Set(isDivided ? ["space"] : []));
      return [key, { spaceId: space, old, now, next }];
    }),
  );
}

async function readNetworks(
  trx: Trx,
  spaces: readonly number[],
): Promise<ReadonlyMap<number, string[]>> {
  const { rows } = await sql<{ space_id: number; networks: string[] }>`
    select * from weft.kept_networks(${[...spaces]}::bigint[])`.execute(trx);
  return new Map(rows.map(({ space_id: id, networks }) => [id, keptNetworks(networks)]));
}
