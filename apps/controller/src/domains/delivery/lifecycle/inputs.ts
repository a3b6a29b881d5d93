/** Input of transitions: states to be written, and what devices reported of them. */
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { StateHead } from "@weft/contract/device/v1/state.ts";
import type { StoredCause, StoredUnmet } from "#domains/delivery/schema.ts";

/** A version of a template, where only its identity counts. */
export interface TemplateVersion {
  readonly templateId: number;
  readonly version: number;
}

/** A version in a state of one node. */
export interface TemplateInState extends TemplateVersion {
  /** What of it is not applied as configured there; null: all acts. */
  readonly unmet: StoredUnmet | null;
}

/** A state to be written, beside its sections. */
export interface PublishedState {
  readonly nodeId: number;
  readonly enterpriseId: number;
  readonly head: StateHead;
  /** SHA-256 of the head. */
  readonly digest: string;
  /** It waits for an operator. */
  readonly held: boolean;
  /** Serial of the past state that it brings back. */
  readonly restores: number | null;
  /** The template version that is in it; null: none. */
  readonly template: TemplateInState | null;
  readonly cause: string;
  readonly causes: readonly StoredCause[];
  readonly createdBy: number;
}

/** The outcome of a state that a device reported. */
export interface ReportedOutcome {
  readonly outcome: "applied" | "refused" | "failed" | "reverted";
  readonly reason: string | null;
  /** It was rolled back because the device could not reach the controller. */
  readonly unreachable: boolean;
  /** It was rolled back because the edge was stopped. */
  readonly stopped: boolean;
  /** With applied: what of it does not act. */
  readonly findings: readonly Finding[];
}
