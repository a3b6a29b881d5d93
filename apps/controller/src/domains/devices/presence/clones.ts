/**
 * Two devices with one key (a copied disk) push each other off the line without end. A device that comes
 * back on another line does so as well, but leaves a dead socket behind: only replacements of a
 * socket that still answered count.
 */
import { sql } from "kysely";
import { inScope, type Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";

/** A live socket that was replaced by a newer one of the same key. */
export interface Replacement {
  /** Ms since 1970. */
  readonly at: number;
  /** Address of the older socket, and of the newer. */
  readonly from: string;
  readonly to: string;
}

const windowMs = 300_000;
const maxReplacements = 3;

/** Those that count still. Two may be written in another order than they happened. */
const recent = (all: readonly Replacement[], now: number): Replacement[] =>
  all.filter(({ at }) => Math.abs(now - at) < windowMs);

/** Three in five minutes, from two addresses (design section 6). Pure. */
export const isClone = (all: readonly Replacement[], now: number): boolean => {
  const counted = recent(all, now);
  const addresses = new Set(counted.flatMap(({ from, to }) => [from, to]));
  return counted.length >= maxReplacements && addresses.size >= 2;
};

/**
 * What is to be kept once one more socket was replaced: nothing of what has made a clone. Pure.
 * @param known those kept so far
 */
export function addReplacement(known: readonly Replacement[], replacement: Replacement) {
  const all = [...recent(known, replacement.at).slice(-maxReplacements), replacement];
  const isFound = isClone(all, replacement.at);
  return { all, kept: isFound ? [] : all, isFound };
}

/**
 * Records that a live socket was replaced, and quarantines the key of both when it is a clone.
 * @param from address of the older socket; the newer one's is in node_status
 * @returns true when this made it a clone
 */
export function noteReplacement(
  pools: Pools<Database>,
  device: { readonly node: number; readonly publicKey: string },
  from: string,
  now: number = Date.now(),
): Promise<boolean> {
  const { node, publicKey } = device;
  return inScope(pools.gateway, { kind: "node", nodeId: node }, async (trx) => {
    const status = await trx
      .selectFrom("node_status")
      .select(["replacements", "socket_address"])
      .where("node_id", "=", node)
      .forUpdate()
      .executeTakeFirst();
    if (!status) return false;
    const { all, kept, isFound } = addReplacement(status.replacements, {
      at: now,
      from,
      to: status.socket_address ?? "",
    });
    await trx
      .updateTable("node_status")
      .set({ replacements: JSON.stringify(kept) })
      .where("node_id", "=", node)
      .execute();
    if (!isFound) return false;
    const addresses = [
      ...new Set(all.flatMap((replacement) => [replacement.from, replacement.to])),
    ];
    const { rows } = await sql<{ done: boolean }>`
      select weft.quarantine_edge(${node}, ${publicKey},
        ${JSON.stringify({ addresses, replacements: all.length })}::jsonb) as done`.execute(trx);
    return rows[0]?.done === true;
  });
}
