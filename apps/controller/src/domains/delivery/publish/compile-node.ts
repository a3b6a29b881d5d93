/** Marked nodes become published states, many of them on one snapshot and in one transaction. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { sectionFormatFor } from "@weft/contract/device/v1/sections.ts";
import { toSections } from "@weft/contract/device/v1/state.ts";
import { type Kysely, sql, type Transaction } from "kysely";
import { withTriedNodeLocks } from "#db/locks.ts";
import type { Pools } from "#db/pool.ts";
import type { Database } from "#db/schema.ts";
import {
  acceleratedSites,
  circuitContextOf,
  compile,
  mergedPolicyOf,
  policyContextOf,
  policySectionOf,
  type ReadView,
  readViews,
  withVlanInterfaces,
} from "#domains/delivery/compile/public.ts";
import { type Pinned, readPins, restored } from "#domains/delivery/history/public.ts";
import type { StoredUnmet } from "#domains/delivery/schema.ts";
import { accelerationFindings } from "#domains/policies/acceleration/public.ts";
import {
  circuitFindings,
  groupFindings,
  lanRangeFindings,
  type NodeFindings,
  oneFamilyFindings,
  type PolicyFinding,
  policyFindings,
  reservationFindings,
  siteFindings,
  siteModeFindings,
  siteNameFindings,
  specialLineFindings,
  writePolicyFindings,
} from "#domains/policies/policy-finding/public.ts";
import type { Vault } from "#kernel/vault.ts";
import { endMarks, type Mark } from "./marks.ts";
import { type Decided, decideStates, type NewState, writeStates } from "./publish-states.ts";

type Trx = Transaction<Database>;

/**
 * `held`: a state that waits for an operator. `busy`: another process compiles this node now.
 * `gone`: there is nothing to compile any more.
 */
export type Compiled = "published" | "held" | "unchanged" | "gone" | "busy";

/** What became of a node: an error is why it has no state, its mark is still there. */
export type Outcome = Compiled | Error;

/**
 * Compiles marked nodes and publishes their states, unless they equal the newest ones. All is read on
 * one snapshot, taken after the locks: two compiles of a node cannot overtake each other. A mark
 * ends only if its generation is still the one that the snapshot saw. What keeps one node from being compiled
 * concerns no other.
 * @throws Error what the database throws, or when something could not be read that is part of one of the states: nothing
 * is written, all marks stay. The nodes one by one show which of them it is.
 */
export function compileNodes(
  pools: Pools<Database>,
  nodeIds: readonly number[],
  vault?: Vault,
): Promise<ReadonlyMap<number, Outcome>> {
  return pools.worker.db.connection().execute((db) =>
    withTriedNodeLocks(db, nodeIds, async (held) => {
      const outcomes = held.length === 0 ? new Map() : await compileLocked(db, held, vault);
      return new Map(nodeIds.map((id) => [id, outcomes.get(id) ?? "busy"] as const));
    }),
  );
}

async function compileLocked(
  db: Kysely<Database>,
  nodeIds: readonly number[],
  vault?: Vault,
): Promise<ReadonlyMap<number, Outcome>> {
  const { marks, outcomes } = await db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (trx) => {
      const marks = await trx
        .selectFrom("compile_mark")
        .selectAll()
        .where(sql<boolean>`node_id = any(${[...nodeIds]}::bigint[])`)
        .orderBy("node_id")
        .execute();
      return { marks, outcomes: await compileMarked(trx, marks, vault) };
    });
  await endMarks(
    db,
    marks.filter(({ node_id }) => !(outcomes.get(node_id) instanceof Error)),
  );
  return new Map(nodeIds.map((id) => [id, outcomes.get(id) ?? "gone"]));
}

/** A state that was compiled, and what was found of its policies. */
interface Made {
  readonly state: NewState;
  readonly about: NodeFindings;
}

async function compileMarked(
  trx: Trx,
  marks: readonly Mark[],
  vault?: Vault,
): Promise<ReadonlyMap<number, Outcome>> {
  const outcomes = new Map<number, Outcome>();
  if (marks.length === 0) return outcomes;
  const nodeIds = marks.map(({ node_id }) => node_id);
  const views = await readViews(trx, nodeIds, vault);
  const pins = await readPins(trx, [...views.keys()]);
  const made = new Map<number, Made>();
  for (const mark of marks) {
    const { node_id: nodeId } = mark;
    const view = views.get(nodeId);
    if (view) note(nodeId, () => makeState(mark, view, pins.get(nodeId) ?? null), made, outcomes);
    // Other work of the process goes on between two nodes.
    if (marks.length > 1) await nextTurn();
  }
  const decided = await decideStates(
    trx,
    [...made.values()].map(({ state }) => state),
  );
  const ready: Decided[] = [];
  for (const [nodeId, one] of decided) {
    outcomes.set(nodeId, one instanceof Error ? one : one.verdict);
    if (!(one instanceof Error)) ready.push(one);
  }
  await writePolicyFindings(
    trx,
    ready.flatMap(({ state }) => made.get(state.nodeId)?.about ?? []),
  );
  await writeStates(trx, ready);
  return outcomes;
}

/** Runs what may fail for one node alone. */
function note<Value>(
  nodeId: number,
  work: () => Value,
  made: Map<number, Value>,
  failed: Map<number, Outcome>,
): void {
  try {
    made.set(nodeId, work());
  } catch (error) {
    failed.set(nodeId, asError(error));
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(`${error}`));

/** @throws Error why there is no state */
function makeState(mark: Mark, view: ReadView | Error, pinned: Pinned | Error | null): Made {
  if (view instanceof Error) throw view;
  if (pinned instanceof Error) throw pinned;
  const present = compile(view);
  const state = pinned ? restored(pinned.state, present) : present;
  const format = sectionFormatFor(view.capabilities);
  const restores = pinned?.serial ?? null;
  const { enterpriseId } = view;
  const nodeId = mark.node_id;
  const findings = findingsOf(view, restores);
  const followed = view.template && { ...view.template, unmet: unmetOf(findings) };
  return {
    state: {
      nodeId,
      enterpriseId,
      sections: toSections(state, format),
      format,
      restores,
      template: pinned ? pinned.template : (followed ?? null),
      cause: mark.cause,
      causes: mark.causes,
      createdBy: mark.created_by,
    },
    about: { nodeId, enterpriseId, template: view.template ?? null, findings },
  };
}

/** What of the node's policies is not applied as configured. */
export function findingsOf(given: ReadView, heldAt: number | null): PolicyFinding[] {
  const view = withVlanInterfaces(given);
  const context = policyContextOf(view, heldAt);
  return [
    ...policyFindings(mergedPolicyOf(view), context),
    ...siteFindings(view.siteObjects, context),
    ...siteModeFindings(view.node, context),
    ...groupFindings(view, context),
    ...circuitFindings(view.circuits ?? [], () => circuitContextOf(view, policySectionOf(view))),
    ...reservationFindings(view.site?.reservations ?? [], view.node.sections, context),
    ...lanRangeFindings(view.node.sections, context),
    ...specialLineFindings(view.node.lines, context),
    ...siteNameFindings(view.node, view.site?.names ?? [], context),
    ...(view.site ? oneFamilyFindings(view.site, context) : []),
    ...acceleratedSites(view).flatMap((site) => accelerationFindings(site, context)),
  ];
}

/** Objects of a template that a task names one by one; one more line says how many there are. */
const maxUnmet = 50;

/** What of the template is not applied as configured; null: nothing. */
export function unmetOf(findings: readonly PolicyFinding[]): StoredUnmet | null {
  const rows = findings.flatMap(({ level, effect, denies: _, ...object }) =>
    level !== "template" || effect === "replaced" ? [] : [{ ...object, effect }],
  );
  if (rows.length === 0) return null;
  const [cannot, others] = [true, false].map((is) =>
    rows.filter(({ effect }) => (effect === "cannot") === is),
  ) as [typeof rows, typeof rows];
  const first = [...cannot, ...others].slice(0, maxUnmet);
  return { cannot: cannot.length, count: rows.length, rows: first };
}
