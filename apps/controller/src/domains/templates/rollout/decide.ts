/** What happens next in a rollout, from what is known of its CPEs at one moment. Pure. */
import { assess, gapMs, isToCompare } from "./assess.ts";
import type { Assessment, Member, Rollout } from "./member.ts";

export type Decision =
  /** What will not act on these CPEs has to be known first; what runs is observed meanwhile. */
  | {
      readonly kind: "prepare";
      readonly nodeIds: readonly number[];
      readonly assessed: readonly Assessment[];
    }
  /** These CPEs cannot be compiled: whether they could without the version has to be known. */
  | {
      readonly kind: "compare";
      readonly nodeIds: readonly number[];
      readonly assessed: readonly Assessment[];
    }
  /** These CPEs get the version. */
  | { readonly kind: "start"; readonly wave: number; readonly nodeIds: readonly number[] }
  | { readonly kind: "observe"; readonly assessed: readonly Assessment[] }
  /** It halts, and the CPEs that are observed are rolled back. */
  | { readonly kind: "fail"; readonly assessed: readonly Assessment[] }
  /** All CPEs of the wave are fine; the next wave starts, when an operator says so. */
  | { readonly kind: "ask"; readonly assessed: readonly Assessment[] }
  | { readonly kind: "advance"; readonly assessed: readonly Assessment[] }
  | { readonly kind: "complete"; readonly assessed: readonly Assessment[] };

/**
 * Decides for a running rollout.
 * @param members those of the wave that is underway, and those of the waves before it that have not passed
 * @param unprepared CPEs of all waves of which it is not known what will not act
 */
export function decide(
  rollout: Rollout,
  members: readonly Member[],
  unprepared: readonly number[],
  now: number,
): Decision {
  const due = members.filter(({ wave, startedAt }) => wave <= rollout.wave && startedAt === null);
  const started = members.filter(({ startedAt }) => startedAt !== null);
  const here = started.filter(({ wave }) => wave === rollout.wave);
  // What waves went on without is observed like the others as soon as it comes, and is not waited for.
  const late = started.filter(({ wave }) => wave < rollout.wave);
  const assessments = here.map((member) => assess(rollout, member, now));
  const assessed = [...assessments, ...late.map((member) => assess(rollout, member, now))];
  if (assessed.some(({ failure }) => failure !== null)) return { kind: "fail", assessed };
  const unclear = started.filter((member) => isToCompare(rollout, member, now)).map(idOf);
  if (unclear.length > 0) return { kind: "compare", nodeIds: unclear, assessed };
  if (unprepared.length > 0) return { kind: "prepare", nodeIds: unprepared, assessed };
  if (due.length > 0) {
    return mayStart(rollout, due, here.length > 0, now)
      ? { kind: "start", wave: rollout.wave, nodeIds: due.map(idOf) }
      : { kind: "observe", assessed };
  }
  if (
    !assessments.every((assessment) => assessment.outcome === "passed" || isLeftOut(assessment))
  ) {
    return { kind: "observe", assessed };
  }
  // One that is left out may get the version yet: it is waited for as long as the others are observed.
  const isOver = here.every(
    ({ startedAt }, at) =>
      assessments[at]?.outcome === "passed" || now - (startedAt ?? now) >= rollout.soakMs,
  );
  if (!isOver) return { kind: "observe", assessed };
  // On CPEs that were left out nothing was seen: an operator goes on without that, the worker does not.
  const isProven = here.length === 0 || assessments.some(({ outcome }) => outcome === "passed");
  if (rollout.wave < rollout.waves) {
    return { kind: rollout.askEach || !isProven ? "ask" : "advance", assessed };
  }
  return { kind: "complete", assessed };
}

const idOf = ({ nodeId }: Member): number => nodeId;

/**
 * The wave goes on without it: no device is in contact, or an operator has to do something about the CPE first. An
 * approval is not such a thing: it is asked for because of what the version takes away.
 */
const isLeftOut = ({ outcome, heldBy, suspects }: Assessment): boolean =>
  outcome === "absent" ||
  (outcome === "held" && heldBy !== "approval" && Object.keys(suspects).length === 0);

/**
 * A wave of which no device is in contact would prove nothing: after a restart of the controller they need a
 * moment to come back.
 */
const mayStart = (
  { since, checkedAt, soakMs }: Rollout,
  due: readonly Member[],
  isUnderway: boolean,
  now: number,
): boolean =>
  isUnderway ||
  due.some(({ seen }) => seen.online) ||
  (now - since >= soakMs && now - checkedAt < gapMs);
