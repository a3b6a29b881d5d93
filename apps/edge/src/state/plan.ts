/** Decisions of the state machine, pure: values in, a verdict out. `reconciler.ts` acts on them. */
import { compareStates, type StateHead, type StateId } from "@weft/contract/device/v1/state.ts";
import type { Step } from "#drivers/driver.ts";
import type { DriverName } from "#drivers/section-drivers.ts";

/** In order of phase; within a phase as the drivers gave them. */
export const inOrder = <Planned extends { readonly step: Step }>(
  steps: readonly Planned[],
): Planned[] => [...steps].sort((a, b) => a.step.phase - b.step.phase);

const pathDrivers: ReadonlySet<DriverName> = new Set<DriverName>([
  "isolation",
  "underlay",
  "tunnel",
  "routing",
  "firewall",
]);

/** True when nothing in the plan can cut the way to the controller: the open socket proves enough. */
export const isLight = (steps: readonly Step[]): boolean =>
  steps.every((step) => !pathDrivers.has(step.driver));

/** What the machine is about when a head comes. */
export interface HeadView {
  readonly running: StateId | null;
  /** Applied or being applied, not confirmed yet. */
  readonly active: StateId | null;
  /** Its sections are on their way. */
  readonly fetching: StateId | null;
  /** Waits for the active one to end. */
  readonly waiting: StateId | null;
  /** Epoch that the controller of this connection sent after it had proven itself. */
  readonly controllerEpoch: number;
  /** Reverted a short while ago. */
  readonly blocked: StateId | null;
}

/**
 * `take` it now; `wait` for the active one; ask `again` for the sections of the one being fetched;
 * it is `old`; it was reverted just now (`blocked`); its `epoch` is not the controller's.
 */
export type HeadVerdict = "take" | "wait" | "again" | "old" | "blocked" | "epoch";

const isNewer = (head: StateId, than: StateId | null): boolean =>
  than === null || compareStates(head, than) > 0;

export const validateHead = (head: StateId, view: HeadView): HeadVerdict => {
  if (head.epoch !== view.controllerEpoch) return "epoch";
  if (!isNewer(head, view.running) || !isNewer(head, view.active)) return "old";
  if (view.blocked !== null && compareStates(head, view.blocked) === 0) return "blocked";
  if (view.active !== null) return isNewer(head, view.waiting) ? "wait" : "old";
  if (view.fetching === null) return "take";
  const order = compareStates(head, view.fetching);
  return order > 0 ? "take" : order === 0 ? "again" : "old";
};

/** A record as the store found it, without what the decision does not need. */
export type Found<Value> =
  | { readonly kind: "none" }
  | { readonly kind: "damaged" }
  | { readonly kind: "value"; readonly value: Value };

export interface JournalView {
  readonly target: StateHead;
  readonly previous: StateHead | null;
  readonly phase: "applying" | "applied" | "reverting";
}

/**
 * What a start begins with. `leave`: touch nothing. `apply`: the confirmed state, without waiting
 * for the controller. `revert`: an unconfirmed state goes immediately; to null if there was none before.
 */
export type BootAction =
  | { readonly kind: "leave"; readonly why: string | null }
  | { readonly kind: "apply"; readonly head: StateHead }
  | {
      readonly kind: "revert";
      readonly to: StateHead | null;
      /** Null: the journal cannot be read, so the state cannot be named. */
      readonly reverted: JournalView | null;
    };

export const planBoot = (
  journal: Found<JournalView>,
  confirmed: Found<{ readonly head: StateHead }>,
): BootAction => {
  const head = confirmed.kind === "value" ? confirmed.value.head : null;
  if (journal.kind === "none") {
    if (head) return { kind: "apply", head };
    const why = confirmed.kind === "damaged" ? "confirmed.json is damaged" : null;
    return { kind: "leave", why };
  }
  const entry = journal.kind === "value" ? journal.value : null;
  // Confirmed, and stopped before the journal was cleared: a confirmed state never reverts.
  if (entry && head && compareStates(entry.target, head) === 0) return { kind: "apply", head };
  const to = head ?? entry?.previous ?? null;
  // A confirmed state existed but it is not known which: removing everything would be a guess.
  if (to === null && confirmed.kind === "damaged")
    return { kind: "leave", why: "confirmed.json is damaged, and so is the rollback plan" };
  return { kind: "revert", to, reverted: entry };
};

/** Hashes of a head that are not in the cache, each once. */
export const missingSections = (head: StateHead, has: (hash: string) => boolean): Set<string> =>
  new Set(Object.values(head.sections).filter((hash) => !has(hash)));
