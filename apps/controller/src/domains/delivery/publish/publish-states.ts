/** Compiled states that differ from the newest ones are written, many at a time. */
import { canonicalJson } from "@weft/contract/device/v1/canonical.ts";
import type { SectionFormat } from "@weft/contract/device/v1/sections.ts";
import type { StateHead } from "@weft/contract/device/v1/state.ts";
import { type Selectable, sql, type Transaction } from "kysely";
import type { Database } from "#db/schema.ts";
import { type NewContent, writeContents } from "#domains/delivery/contents/public.ts";
import { findHeldStates } from "#domains/delivery/guard/public.ts";
import {
  addCauses,
  adoptVersions,
  publishStates,
  settleIssues,
  type TemplateInState,
} from "#domains/delivery/lifecycle/public.ts";
import type { StoredCause } from "#domains/delivery/schema.ts";
import { sha256, storedAs } from "./state-content.ts";

type Trx = Transaction<Database>;
type StateRow = Selectable<Database["node_state"]>;

export interface NewState {
  readonly nodeId: number;
  readonly enterpriseId: number;
  readonly sections: ReadonlyMap<string, unknown>;
  readonly format: SectionFormat;
  /** Serial of the past state that it brings back. */
  readonly restores: number | null;
  /** The template version that is in it; null: none. */
  readonly template: TemplateInState | null;
  readonly cause: string;
  readonly causes: readonly StoredCause[];
  readonly createdBy: number;
}

export type Verdict = "published" | "held" | "unchanged";

type Earlier = Pick<
  StateRow,
  | "node_id"
  | "enterprise_id"
  | "epoch"
  | "serial"
  | "sections"
  | "outcome"
  | "held"
  | "causes"
  | "template_id"
  | "template_version"
  | "template_unmet"
>;

/** A state and what becomes of it. */
export interface Decided {
  readonly state: NewState;
  readonly verdict: Verdict;
  readonly contents: readonly NewContent[];
  readonly hashes: Readonly<Record<string, string>>;
  readonly epoch: number;
  readonly newest: Earlier | null;
  /** The newest state, where it is this one; it may wait for an operator, and goes on doing so. */
  readonly current: Earlier | null;
}

/** Writes states; those of one transaction are of different nodes. @throws Error what keeps one of them from being written */
export async function publish(
  trx: Trx,
  states: readonly NewState[],
): Promise<ReadonlyMap<number, Verdict>> {
  const decided = await decideStates(trx, states);
  const ready = [...decided.values()].map((one) => {
    if (one instanceof Error) throw one;
    return one;
  });
  await writeStates(trx, ready);
  return new Map(ready.map(({ state, verdict }) => [state.nodeId, verdict]));
}

/**
 * The newest state of each node that was not kept back and those above it, the newest first; with the lists of networks that
 * its device has, which come without a state (docs/adr/0047-state-revisions.md).
 */
async function readEarlier(
  trx: Trx,
  nodeIds: readonly number[],
): Promise<ReadonlyMap<number, readonly Earlier[]>> {
  const { rows } = await sql<Earlier>`
    select s.node_id, s.enterprise_id, s.epoch, s.serial, s.sections || coalesce(l.lists, '{}') as sections, s.outcome, s.held,
      s.causes, s.template_id, s.template_version, s.template_unmet
    from unnest(${[...nodeIds]}::bigint[]) as w (id)
    left join lateral (
      select n.epoch, n.serial from node_state n where n.node_id = w.id and not n.held
      order by n.epoch desc, n.serial desc limit 1) good on true
    cross join lateral (
      select * from node_state n where n.node_id = w.id
        and (n.epoch, n.serial) >= (coalesce(good.epoch, 0), coalesce(good.serial, 0))) s
    left join weft.device_lists(${[...nodeIds]}::bigint[]) l
      on (l.node_id, l.epoch, l.serial) = (s.node_id, s.epoch, s.serial)
    order by s.node_id, s.epoch desc, s.serial desc`.execute(trx);
  return Map.groupBy(rows, ({ node_id }) => node_id);
}

/** A state with its hashes beside the states that there are. */
interface Compared {
  readonly state: NewState;
  readonly contents: readonly NewContent[];
  readonly hashes: Readonly<Record<string, string>>;
  readonly earlier: readonly Earlier[];
  readonly newest: Earlier | null;
  /** The newest state that still counts, when it has the same sections and is of the same enterprise. */
  readonly current: Earlier | null;
}

/** Not of the enterprise that the node was moved from. */
const isOf = (state: NewState, { enterprise_id }: Earlier): boolean =>
  enterprise_id === state.enterpriseId;

/** @throws SectionTooLarge */
function compared(state: NewState, earlier: readonly Earlier[], epoch: number): Compared {
  const contents = [...state.sections].map(([name, content]) =>
    storedAs(name, content, state.format),
  );
  const hashes = Object.fromEntries(contents.map(({ name, hash }) => [name, hash] as const));
  const newest = earlier[0] ?? null;
  const same = newest && canonicalJson(newest.sections) === canonicalJson(hashes);
  // A cancelled state was never sent, and after a restore the device may run a state that is no longer known:
  // in both cases the same sections have to be published once more. So they are for another enterprise than the newest
  // state's: it does not see that one.
  const isThere =
    same && isOf(state, newest) && newest.outcome !== "superseded" && newest.epoch === epoch;
  return {
    state,
    contents,
    hashes,
    // A node moves without its settings and its device: nobody of the new enterprise could compare with what it had before.
    earlier: earlier.filter((one) => isOf(state, one)),
    newest,
    current: isThere ? newest : null,
  };
}

/**
 * Decides what becomes of states, and writes nothing: a state is not written if its sections are those of the newest one
 * that still counts, and one that removes more than its changes account for is kept back.
 * @returns of each node the decision, or why its state cannot be written
 */
export async function decideStates(
  trx: Trx,
  states: readonly NewState[],
): Promise<ReadonlyMap<number, Decided | Error>> {
  const decided = new Map<number, Decided | Error>();
  if (states.length === 0) return decided;
  const earlier = await readEarlier(
    trx,
    states.map(({ nodeId }) => nodeId),
  );
  const { epoch } = await trx.selectFrom("installation").select("epoch").executeTakeFirstOrThrow();
  const all: Compared[] = [];
  for (const state of states) {
    try {
      all.push(compared(state, earlier.get(state.nodeId) ?? [], epoch));
    } catch (error) {
      decided.set(state.nodeId, error as Error);
    }
  }
  // Rows may be read before the change that reports them: what was kept back is weighed again.
  const isFinal = ({ current }: Compared) => current !== null && current.outcome !== "held";
  const held = await findHeldStates(
    trx,
    all.filter((one) => !isFinal(one)).map((one) => ({ ...one.state, ...one })),
  );
  for (const one of all) {
    const { state, contents, hashes, newest, current } = one;
    const isHeld = held.get(state.nodeId) ?? false;
    if (isHeld instanceof Error) decided.set(state.nodeId, isHeld);
    else {
      const isThere = current !== null && (isFinal(one) || isHeld);
      const verdict = isThere ? "unchanged" : isHeld ? "held" : "published";
      const about = { contents, hashes, epoch, newest, current: isThere ? current : null };
      decided.set(state.nodeId, { state, verdict, ...about });
    }
  }
  return decided;
}

/** Writes what was decided. */
export async function writeStates(trx: Trx, decided: readonly Decided[]): Promise<void> {
  await keepCurrent(trx, decided);
  const made = decided.filter(({ verdict }) => verdict !== "unchanged");
  if (made.length === 0) return;
  await writeContents(
    trx,
    made.map(({ state, contents, newest }) => {
      // One edit on a hub of thousands of links changes one bucket of its sections: what the newest state has is stored.
      const kept = new Set(newest && isOf(state, newest) ? Object.values(newest.sections) : []);
      const { nodeId, enterpriseId } = state;
      return { nodeId, enterpriseId, contents: contents.filter(({ hash }) => !kept.has(hash)) };
    }),
  );
  await publishStates(
    trx,
    made.map(({ state, verdict, hashes, epoch, newest }) => {
      const head: StateHead = { epoch, serial: (newest?.serial ?? 0) + 1, sections: hashes };
      return { ...state, head, digest: sha256(head), held: verdict === "held" };
    }),
  );
}

/** Nothing goes out to nodes whose newest state is the one that was compiled: it may follow another version from now on. */
async function keepCurrent(trx: Trx, decided: readonly Decided[]): Promise<void> {
  const there = decided.flatMap(({ state, current }) =>
    current ? [{ ...state, epoch: current.epoch, serial: current.serial, current }] : [],
  );
  const [others, same] = [true, false].map((is) =>
    there.filter(({ current, template }) => isOther(current, template) === is),
  ) as [typeof there, typeof there];
  const withOutcome = ({ current, ...state }: (typeof there)[number]) => ({
    ...state,
    outcome: current.outcome,
  });
  await adoptVersions(trx, others.map(withOutcome));
  // A task of the same version was opened since, and nothing else will end it.
  await settleIssues(trx, same.filter(({ template }) => template !== null).map(withOutcome));
  await addCauses(
    trx,
    there.filter(({ current }) => current.outcome === "held"),
  );
}

/** True when the state was made for another template version than this one, or less or more of it acts. */
const isOther = (
  newest: Pick<StateRow, "template_id" | "template_version" | "template_unmet">,
  template: TemplateInState | null,
): boolean =>
  newest.template_id !== (template?.templateId ?? null) ||
  newest.template_version !== (template?.version ?? null) ||
  canonicalJson(newest.template_unmet) !== canonicalJson(template?.unmet ?? null);
