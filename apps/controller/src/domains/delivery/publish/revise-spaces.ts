/**
 * Lists of networks of spaces as revisions (docs/adr/0047-state-revisions.md): one row for each list, however many members a
 * space has, which gateways send to the devices that take it.
 */
import { type SpaceSection, spaceSection } from "@weft/contract/device/v1/space.ts";
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { type NewContent, readNamedOf, writeSpaces } from "#domains/delivery/contents/public.ts";
import { isFewRemovals } from "#domains/delivery/guard/public.ts";
import { differences } from "#domains/delivery/history/public.ts";
import type { StoredCause } from "#domains/delivery/schema.ts";
import { readNetworks } from "./publish-networks.ts";
import { storedAs } from "./state-content.ts";
import { stateChannel } from "./state-hint.ts";

type Trx = Transaction<Database>;

/** What lists come from: the last change, and all of them. */
interface RevisionCause {
  readonly cause: string;
  readonly createdBy: number;
  readonly causes: readonly StoredCause[];
}

/**
 * Writes the present lists of spaces where they are new, and notifies gateways at COMMIT. Of one transaction at a time.
 * @returns members that need no state for it
 */
export async function reviseSpaces(
  trx: Trx,
  spaceIds: readonly number[],
  because: RevisionCause,
): Promise<ReadonlySet<number>> {
  if (spaceIds.length === 0) return new Set();
  const { rows: taken } = await sql<{ id: number }>`
    select id from weft.revised_spaces(${[...spaceIds]}::bigint[]) as one (id)`.execute(trx);
  const spaces = taken.map(({ id }) => id);
  if (spaces.length === 0) return new Set();
  const lists = await nextLists(trx, spaces);
  if (lists.length > 0) {
    await writeSpaces(
      trx,
      lists.map(({ content }) => content),
    );
    await writeRevisions(trx, lists, because);
  }
  const { rows } = await sql<{ id: number }>`
    select id from weft.revision_takers(${spaces}::bigint[]) as one (id)`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}

interface NextList {
  readonly spaceId: number;
  readonly content: NewContent;
  readonly follows: boolean;
}

const nameOf = (spaceId: number): string => `space.${spaceId}`;

/** Lists that are others than the newest ones. */
async function nextLists(trx: Trx, spaces: readonly number[]): Promise<NextList[]> {
  const networks = await readNetworks(trx, spaces);
  const { rows } = await sql<{ space_id: number; hash: string }>`
    select distinct on (space_id) space_id, hash from space_revision
    where space_id = any(${[...spaces]}::bigint[]) order by space_id, revision desc`.execute(trx);
  const newest = new Map(rows.map((row) => [row.space_id, row]));
  const present = spaces.map((spaceId) => {
    const section = { spaceId, netns: null, networks: networks.get(spaceId) ?? [] };
    return { spaceId, section, content: storedAs(nameOf(spaceId), section, new Set(["space"])) };
  });
  const changed = present.filter(
    ({ spaceId, content }) => newest.get(spaceId)?.hash !== content.hash,
  );
  const before = await readLists(
    trx,
    changed.flatMap(({ spaceId }) => newest.get(spaceId) ?? []),
  );
  return changed.map(({ spaceId, section, content }) => ({
    spaceId,
    content,
    follows: isFollowedBy(before.get(spaceId), section),
  }));
}

/** Of which no more networks go than go without being weighed by what was written. */
const isFollowedBy = (before: SpaceSection | undefined, now: SpaceSection): boolean => {
  if (!before) return false;
  const all = (section: SpaceSection) => new Map([[nameOf(section.spaceId), section]]);
  return isFewRemovals(differences(all(before), all(now)));
};

/** Lists in one piece, by space; those that are gone, or that no device would read, are left out. */
async function readLists(
  trx: Trx,
  revisions: readonly { readonly space_id: number; readonly hash: string }[],
): Promise<ReadonlyMap<number, SpaceSection>> {
  // Contents of spaces are of no node.
  const found = await readNamedOf(
    trx,
    revisions.map(({ space_id: id, hash }) => ({ nodeId: id, named: { [nameOf(id)]: hash } })),
  );
  return new Map(
    [...found].flatMap(([id, sections]) => {
      const { data } = spaceSection.safeParse(sections.get(nameOf(id)));
      return data === undefined ? [] : [[id, data] as const];
    }),
  );
}

async function writeRevisions(
  trx: Trx,
  lists: readonly NextList[],
  { cause, createdBy, causes }: RevisionCause,
): Promise<void> {
  await trx
    .insertInto("space_revision")
    .values(
      lists.map(({ spaceId, content, follows }) => ({
        space_id: spaceId,
        hash: content.hash,
        follows,
        cause,
        causes: JSON.stringify(causes),
        created_by: createdBy,
      })),
    )
    .execute();
  // Whoever is a member is found by each gateway among its sockets.
  await sql`select pg_notify(${stateChannel}, '')`.execute(trx);
}
