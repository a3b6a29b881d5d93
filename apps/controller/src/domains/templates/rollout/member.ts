/** What is known of a rollout and of its CPEs at one moment, and what is found about them. */
import type {
  HoldReason,
  MemberOutcome,
  WaveFailure,
  WaveGate,
} from "@weft/contract/domains/templates/rollout.ts";
import type {
  StoredComparison,
  StoredExpectation,
  StoredObservation,
} from "#domains/templates/schema.ts";

/** Gates of a plan; times in ms. */
export interface Gates {
  readonly soakMs: number;
  readonly graceMs: number;
  readonly contact: boolean;
  readonly links: boolean;
  readonly findings: boolean;
  /** Percentage points; null: loss is no gate. */
  readonly loss: number | null;
}

export interface Rollout extends Gates {
  /** The wave that is underway, from 1. */
  readonly wave: number;
  readonly waves: number;
  readonly askEach: boolean;
  /** When it got into its state. */
  readonly since: number;
  /** The last observation. */
  readonly checkedAt: number;
}

/** How far the version has come on a CPE. */
export type Progress =
  | { readonly kind: "underway" }
  /** An operator keeps it from the CPE, or has to decide before it goes there. */
  | { readonly kind: "held"; readonly by: HoldReason }
  /** Its device took it back for a reason that is not the version's, and gets it once more. */
  | { readonly kind: "retry" }
  /** No configuration with it could be made at the last try (`failure` of what is seen). */
  | { readonly kind: "uncompiled" }
  | { readonly kind: "confirmed"; readonly idle: readonly IdleObject[] }
  | { readonly kind: "failed"; readonly reason: string };

/** An object of the version that does not act. */
export interface IdleObject {
  readonly key: string;
  readonly name: string;
}

export interface Seen extends StoredObservation {
  readonly linkIds: NonNullable<StoredObservation["linkIds"]>;
  /** Some of them count as up because the device that measures them may be on its way back: no trouble, and no proof. */
  readonly hasStaleLinks: boolean;
  readonly findings: readonly string[];
  /** Of the newest state without the version that its device confirmed; null: it confirmed none. */
  readonly findingsBefore: readonly string[] | null;
  readonly progress: Progress;
}

export type Suspects = Partial<Record<WaveGate, number>>;

export interface Member {
  readonly nodeId: number;
  readonly wave: number;
  readonly startedAt: number | null;
  readonly baseline: StoredObservation | null;
  /** Null: not known yet. */
  readonly expected: StoredExpectation | null;
  /** Null: it was not asked how it would compile without the version. */
  readonly compared: StoredComparison | null;
  readonly steadySince: number | null;
  /** Observed ms for which its device was in contact and did not run the version. */
  readonly awaitedMs: number;
  readonly suspects: Suspects;
  readonly seen: Seen;
}

/** What is found about a CPE of the wave that is underway. */
export interface Assessment {
  readonly nodeId: number;
  readonly outcome: MemberOutcome;
  /** Of `held`. */
  readonly heldBy: HoldReason | null;
  readonly steadySince: number | null;
  readonly awaitedMs: number;
  readonly suspects: Suspects;
  readonly failure: WaveFailure | null;
  /** What its device found first with the version, where no earlier ones are known: that is what it is held to. */
  readonly firstFindings: readonly string[] | null;
}
