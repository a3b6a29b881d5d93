import { sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { readNamedOf } from "#domains/delivery/contents/public.ts";
import { type Difference, differences } from "#domains/delivery/history/public.ts";
import type { StoredCause } from "#domains/delivery/schema.ts";
import type { WrittenRow } from "./accounting.ts";
import { assessRemovals, isFewRemovals } from "./guard.ts";

type Trx = Transaction<Database>;

interface Candidate {
  readonly nodeId: number;
  readonly sections: ReadonlyMap<string, unknown>;
  /** Of its sections. */
  readonly hashes: Readonly<Record<string, string>>;
  readonly causes: readonly StoredCause[];
  /** The newest state of the node that was not kept back and those above it, the newest first. */
  readonly earlier: readonly Earlier[];
}

interface Earlier {
  readonly sections: Readonly<Record<string, string>>;
  readonly causes: readonly StoredCause[];
  readonly held: boolean;
}

/** A candidate and the state that it is compared with. */
interface Comparison {
  readonly candidate: Candidate;
  /** Names of sections that are others than before. */
  readonly changed: readonly string[];
  /** Hashes of those of them that were there. */
  readonly named: Readonly<Record<string, string>>;
}

/**
 * True for nodes whose states must wait for an operator: against the newest one that was not kept back it
 * removes more than ten objects, and more than the changes since then account for. Compares only
 * sections that differ: a hub of thousands of links has one such bucket for one edit.
 * @param candidates of different nodes
 * @returns of each node the answer, or why its states cannot be compared
 */
export async function findHeldStates(
  trx: Trx,
  candidates: readonly Candidate[],
): Promise<ReadonlyMap<number, boolean | Error>> {
  const comparisons = candidates.flatMap((candidate) => comparisonOf(candidate) ?? []);
  const before = await readNamedOf(
    trx,
    comparisons.map(({ candidate: { nodeId }, named }) => ({ nodeId, named })),
  );
  const held = new Map<number, boolean | Error>();
  for (const comparison of comparisons) {
    const { nodeId } = comparison.candidate;
    const removals = removalsOf(comparison, before.get(nodeId) ?? new Map());
    if (removals instanceof Error) held.set(nodeId, removals);
    // What the changes wrote is read only where it decides: one call may have written to thousands of nodes.
    else if (!isFewRemovals(removals))
      held.set(nodeId, await assess(trx, comparison.candidate, removals));
  }
  return held;
}

/** Null: nothing was sent to the node that it could be compared with. */
function comparisonOf(candidate: Candidate): Comparison | null {
  const { earlier, hashes } = candidate;
  const base = earlier.find(({ held }) => !held);
  if (!base) return null;
  const names = new Set([...Object.keys(base.sections), ...Object.keys(hashes)]);
  const changed = [...names].filter((name) => base.sections[name] !== hashes[name]);
  const named = Object.entries(base.sections).filter(([name]) => changed.includes(name));
  return { candidate, changed, named: Object.fromEntries(named) };
}

function removalsOf(
  { candidate: { sections }, changed }: Comparison,
  before: ReadonlyMap<string, unknown>,
): readonly Difference[] | Error {
  const after = new Map(
    changed.flatMap((name) => (sections.has(name) ? [[name, sections.get(name)] as const] : [])),
  );
  try {
    return differences(before, after);
  } catch (error) {
    return error as Error;
  }
}

async function assess(
  trx: Trx,
  { nodeId, causes, earlier }: Candidate,
  found: readonly Difference[],
): Promise<boolean> {
  // What was kept back came from changes as well, and nothing of it was sent.
  const all = [...earlier.filter(({ held }) => held).flatMap((one) => one.causes), ...causes];
  const rows = await writtenRows(trx, all);
  return assessRemovals({ nodeId, found, causes: all, rows, nowMs: Date.now() }).held;
}

/** Maximum rows read for one state; a call that wrote more explains them no better one by one. */
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
