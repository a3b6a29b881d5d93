/**
 * The advertisement of a node: all that links and other nodes' states take from it. A change that leaves the
 * advertisement as it was concerns the node alone, however many it is linked with.
 */
import { createHash } from "node:crypto";
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import type { MemberNode } from "#domains/delivery/links/public.ts";
import { readMemberNodes } from "#domains/delivery/links/public.ts";
import { peerPart, type ViewNode } from "./compile.ts";
import { readNodes } from "./view.ts";

type Trx = Transaction<Database>;

const digestOf = (seen: unknown): string =>
  createHash("sha256").update(canonicalJson(seen)).digest("hex");

/**
 * Pure: equal for two moments between which nothing changed that others see. What comes before the
 * colon is for those it is linked with; the networks, behind it, are for all of its spaces.
 */
function advertisementOf(view: ViewNode, member: MemberNode): string {
  const bySlot = (one: { slot: number }, other: { slot: number }) => one.slot - other.slot;
  const peer = peerPart(view);
  const seen = { peer, place: { ...member, lines: member.lines.toSorted(bySlot) } };
  return `${digestOf(seen)}:${digestOf(peer.prefixes)}`;
}

const networksIn = (digest: string | undefined): string | undefined => digest?.split(":")[1];

/** What became of the advertisements of some nodes. */
export interface Advertisements {
  /**
   * For each node the last change (its sequence number) that others have to see; nodes that
   * are gone count as changed permanently.
   */
  readonly reported: ReadonlyMap<number, number>;
  /** The same for changes of its networks, which every member of its spaces keeps inside; a node that is gone has none. */
  readonly moved: ReadonlyMap<number, number>;
}

/**
 * Compares the advertisements of nodes in the caller's transaction and keeps those that are new. Sets the
 * scope to the nodes' enterprises.
 */
export async function recordAdvertisements(
  trx: Trx,
  nodeIds: readonly number[],
): Promise<Advertisements> {
  const ids = [...new Set(nodeIds)];
  const reported = new Map(ids.map((id) => [id, Number.MAX_SAFE_INTEGER]));
  await sql`select set_config('weft.scope', coalesce((select array_agg(distinct enterprise_id)
    from weft.nodes_of(${ids}::bigint[])), '{}')::text, true)`.execute(trx);
  const views = await readNodes(trx, ids);
  const members = await readMemberNodes(trx, sql`select unnest(${ids}::bigint[])`);
  const kept = await trx
    .selectFrom("node_advertisement")
    .select(["node_id", "digest", "until_seq", "networks_until_seq"])
    .where(sql<boolean>`node_id = any(${ids}::bigint[])`)
    .execute();
  const keptOf = new Map(kept.map((one) => [one.node_id, one]));
  const news: News[] = [];
  const moved = new Map<number, number>();
  for (const member of members) {
    const view = views.get(member.id);
    if (!view) continue;
    const digest = advertisementOf(view.view, member);
    const known = keptOf.get(member.id);
    const hasMoved = networksIn(known?.digest) !== networksIn(digest);
    if (known?.digest === digest) reported.set(member.id, known.until_seq);
    else news.push({ id: member.id, digest, hasMoved });
    moved.set(member.id, hasMoved ? Number.MAX_SAFE_INTEGER : (known?.networks_until_seq ?? 0));
  }
  if (news.length > 0) await keep(trx, news);
  return { reported, moved };
}

interface News {
  readonly id: number;
  readonly digest: string;
  readonly hasMoved: boolean;
}

/** What was written until now may be in these advertisements already, so those changes speak for them too. */
async function keep(trx: Trx, news: readonly News[]): Promise<void> {
  const ids = news.map(({ id }) => id);
  const digests = news.map(({ digest }) => digest);
  const moved = news.map(({ hasMoved }) => hasMoved);
  await sql`
    insert into node_advertisement as a (node_id, enterprise_id, digest, until_seq, networks_until_seq)
    select n.node_id, n.enterprise_id, f.digest, written.seq, case when f.moved then written.seq else 0 end
    from unnest(${ids}::bigint[], ${digests}::text[], ${moved}::boolean[]) as f (node_id, digest, moved)
    join weft.nodes_of(${ids}::bigint[]) n on n.node_id = f.node_id
    cross join (select coalesce(max(seq), 0) as seq from change) written
    on conflict (node_id) do update
      set digest = excluded.digest, until_seq = excluded.until_seq,
        networks_until_seq = greatest(a.networks_until_seq, excluded.networks_until_seq)`.execute(
    trx,
  );
}
