/** How far a version has come on a CPE, from what delivery knows of it. Pure. */
import type { Finding } from "@weft/contract/device/v1/findings.ts";
import { taskStatus } from "@weft/contract/domains/delivery/enums.ts";
import type { StoredFailure, StoredUnmet } from "#domains/delivery/schema.ts";
import type { IdleObject, Progress } from "./member.ts";

/** Delivery state of a version at one CPE. */
export interface Delivered {
  readonly node_id: number;
  readonly status: number | null;
  readonly unmet: StoredUnmet | null;
  /** Of the newest state with the version. */
  readonly outcome: string | null;
  readonly held: boolean | null;
  /** An operator keeps the CPE at a configuration without the version. */
  readonly pinned: boolean;
  readonly stopped: boolean | null;
  /** Its device could not reach the controller after it had applied the state. */
  readonly unreachable: boolean | null;
  /** How often it was sent once more. */
  readonly retries: number | null;
  readonly delivered_at: Date | null;
  readonly reason: string | null;
  /** Of the newest state that its device confirmed. */
  readonly findings: readonly Finding[] | null;
  /** Of the newest one without the version; null: there is none. */
  readonly findings_before: readonly Finding[] | null;
  readonly failure: StoredFailure | null;
}

const idleOf = (unmet: StoredUnmet | null): IdleObject[] =>
  (unmet?.rows ?? []).flatMap(({ family, objectId, name, effect }) =>
    effect === "cannot" ? [{ key: objectKey(family, objectId), name }] : [],
  );

/** Which object of a version it is. */
export const objectKey = (family: string, objectId: number): string => `${family}/${objectId}`;

/** Outcomes with which a device ends a state that it does not run. */
const ended = ["refused", "failed", "reverted"];

/** Outcomes of a state that a device has or gets, or an operator decides about. */
const out = ["waiting", "held", "delivered", "applied"];

/**
 * How far the version has come.
 * @param watchedSince ms of the epoch since when the controller has observed without a pause
 */
export function progressOf(row: Delivered | undefined, watchedSince: number): Progress {
  if (!row) return { kind: "underway" };
  if (row.pinned) return { kind: "held", by: "pin" };
  const { status, unmet, outcome, held, reason, failure } = row;
  // A task that failed with a list of objects is one whose device runs the version.
  if (status === taskStatus.completed || (status === taskStatus.failed && unmet !== null)) {
    return { kind: "confirmed", idle: idleOf(unmet) };
  }
  // The task has failed until a newer state with the version goes out, of which nothing is known yet.
  if (status === taskStatus.failed && outcome !== null && ended.includes(outcome)) {
    if (!isByOthers(row, watchedSince)) return { kind: "failed", reason: reason ?? outcome };
    return row.retries === 0 ? { kind: "retry" } : { kind: "underway" };
  }
  // What cannot be compiled after the state with the version is out is another matter.
  const isOut = outcome !== null && out.includes(outcome);
  if (failure && !isOut) return { kind: "uncompiled" };
  return held === true ? { kind: "held", by: "approval" } : { kind: "underway" };
}

/**
 * The device took the state back because its edge was stopped, or because it could not reach a controller that was
 * not there all the time. One that cuts itself off while the controller is there has found what waves are for.
 */
const isByOthers = (
  { outcome, stopped, unreachable, delivered_at: deliveredAt }: Delivered,
  watchedSince: number,
): boolean =>
  outcome === "reverted" &&
  (stopped === true ||
    (unreachable === true && (deliveredAt === null || deliveredAt.getTime() < watchedSince)));
