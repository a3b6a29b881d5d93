import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { readNamed } from "#domains/delivery/contents/public.ts";
import { differences } from "#domains/delivery/history/public.ts";
import type { StoredCause } from "#domains/delivery/schema.ts";
import type { WrittenRow } from "./accounting.ts";
import { isFewRemovals, weighRemovals } from "./guard.ts";

type Trx = Transaction<Database>;

interface Candidate {
  readonly nodeId: number;
  readonly enterpriseId: number;
  readonly sections: ReadonlyMap<string, unknown>;
  readonly causes: readonly StoredCause[];
}

interface Earlier {
  readonly sections: Record<string, string>;
  readonly causes: readonly StoredCause[];
  readonly held: boolean;
}

/**
 * True when a state must wait for an operator: against the newest one that was not kept back it
 * removes more than ten objects, and more than the changes since then account for. Compares only
 * sections that differ: a hub of thousands of links has one such bucket for one edit.
 * @param hashes of the candidate's sections
 */
export async function isHeld(
  trx: Trx,
  { nodeId, enterpriseId, sections, causes }: Candidate,
  hashes: Readonly<Record<string, string>>,
): Promise<boolean> {
  const earlier = await statesSinceLastGood(trx, nodeId, enterpriseId);
  const base = earlier.find(({ held }) => !held);
  if (!base) return false;
  const changed = [...new Set([...Object.keys(base.sections), ...Object.keys(hashes)])].filter(
    (name) => base.sections[name] !== hashes[name],
  );
  const named = Object.entries(base.sections).filter(([name]) => changed.includes(name));
  const before = await readNamed(trx, nodeId, Object.fromEntries(named));
  const after = new Map(
    changed.flatMap((name) => (sections.has(name) ? [[name, sections.get(name)] as const] : [])),
  );
  const found = differences(before, after);
  // What the changes wrote is read only where it decides: one call may have written to thousands of nodes.
  if (isFewRemovals(found)) return false;
  // What was kept back came from changes as well, and nothing of it was sent.
  const all = [...earlier.filter(({ held }) => held).flatMap((one) => one.causes), ...causes];
  const rows = await writtenRows(trx, all);
  return weighRemovals({ nodeId, found, causes: all, rows, nowMs: Date.now() }).held;
}

/**
 * The newest state that was not kept back and those above it, the newest first. Only of the node's present enterprise:
 * a node moves without its settings and its device, and nobody of the new one could compare with what it had before.
 */
async function statesSinceLastGood(
  trx: Trx,
  nodeId: number,
  enterpriseId: number,
): Promise<Earlier[]> {
  const { rows } = await sql<Earlier>`
    select sections, causes, held from node_state s
    where node_id = ${nodeId} and enterprise_id = ${enterpriseId}
      and not exists (select from node_state n where n.node_id = s.node_id and not n.held
        and n.enterprise_id = s.enterprise_id
        and (n.epoch, n.serial) > (s.epoch, s.serial))
    order by epoch desc, serial desc`.execute(trx);
  return rows;
}

/** Rows weighed for one state; a call that wrote more explains them no better one by one. */
const maxRows = 20_000;

/** Rows that the calls behind the changes changed or removed. */
async function writtenRows(trx: Trx, causes: readonly StoredCause[]): Promise<WrittenRow[]> {
  const ids = [...new Set(causes.map(({ requestId }) => requestId))].filter((id) => id !== "");
  if (ids.length === 0) return [];
  const { rows } = await sql<WrittenRow>`
    select resource, row_id as "rowId", old_value as old, new_value as now from audit
    where request_id = any(${ids}::text[]) and old_value is not null
    order by id limit ${maxRows}`.execute(trx);
  return rows;
}
