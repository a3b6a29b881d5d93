/** What the gates find about one CPE at one moment. Pure. */
import type {
  HoldReason,
  WaveFailure,
  WaveGate,
} from "@weft/contract/domains/templates/rollout.ts";
import type { StoredExpectation, StoredObservation } from "#domains/templates/schema.ts";
import type { Assessment, IdleObject, Member, Rollout, Seen, Suspects } from "./member.ts";

/** A device has this time to run the version; time counts while it is observed to be in contact. */
export const arrivalMs = 600_000;
/** Observations that are further apart prove nothing of the time between. */
export const gapMs = 15_000;
/** A compile that failed is tried again after ten seconds: what is over by then is no failure. */
export const recompileMs = 30_000;

/** Its device runs the version. */
const isConfirmed = ({ progress }: Seen): boolean => progress.kind === "confirmed";

/** What a CPE would be without the version is asked again after this time: other edits may have changed it. */
const compareAgainMs = 60_000;

/** It cannot be compiled for a while, and it is not known whether that is the version's doing. */
export function isToCompare(rollout: Rollout, member: Member, now: number): boolean {
  const { seen, suspects, compared, baseline } = member;
  if (seen.progress.kind !== "uncompiled" || isSameFailure(seen.failure, baseline?.failure))
    return false;
  const isKnown = compared !== null && isSameFailure(seen.failure, compared.failure);
  if (isKnown) return now - (compared.at ?? 0) >= compareAgainMs;
  return suspects.task !== undefined && now - suspects.task >= taskGraceMs(rollout);
}

const taskGraceMs = ({ graceMs }: Rollout): number => Math.max(graceMs, recompileMs);

/** What it fails by would be so without the version as well: before its wave started, or now. */
const isOthersFailure = ({ seen, baseline, compared }: Member): boolean =>
  isSameFailure(seen.failure, baseline?.failure) ||
  (compared !== null &&
    isSameFailure(seen.failure, compared.failure) &&
    isSameFailure(seen.failure, compared.without));

/** Assesses a CPE whose wave has started. */
export function assess(rollout: Rollout, member: Member, now: number): Assessment {
  const { nodeId, seen, baseline } = member;
  const isPaused = now - rollout.checkedAt >= gapMs;
  if (seen.progress.kind === "held") {
    return heldMember(rollout, member, seen.progress.by, now, isPaused);
  }
  if (seen.progress.kind === "uncompiled" && isOthersFailure(member)) {
    return heldMember(rollout, member, "compile", now, isPaused);
  }
  const suspects = suspectsOf(rollout, member, now, isPaused);
  const isRunning = isConfirmed(seen);
  const awaitedMs = awaitedMsOf(rollout, member, now, isPaused);
  // Without the gate of contact a CPE that is away has not failed, and nothing is seen of it.
  const isAway = !seen.online && !rollout.contact;
  const isAbsent = !isRunning && !seen.online && (baseline?.online !== true || isAway);
  const failure =
    failedGate(rollout, member, awaitedMs) ?? lastingSuspect(rollout, member, suspects, now);
  const isWell = !seen.hasStaleLinks && failure === null && Object.keys(suspects).length === 0;
  const isSteady = isRunning && !isAway && isWell;
  const isFirst = isRunning && (baseline?.findings ?? seen.findingsBefore) === null;
  const firstFindings = isFirst ? seen.findings : null;
  const observation = { nodeId, suspects, failure, awaitedMs, heldBy: null, firstFindings };
  if (!isSteady) {
    const outcome = isAbsent || isAway ? "absent" : isRunning ? "observed" : "underway";
    return { ...observation, steadySince: null, outcome };
  }
  const steadySince = isPaused ? now : (member.steadySince ?? now);
  const outcome = now - steadySince >= rollout.soakMs ? "passed" : "observed";
  return { ...observation, steadySince, outcome };
}

/** The CPE cannot be compiled without the version either. */
const isSameFailure = (now: Failure, before: Failure): boolean =>
  now?.code === before?.code && now?.detail === before?.detail;
type Failure = StoredObservation["failure"];

/**
 * What a CPE without the version does says nothing about the version. To a pinned one its rules go all the same
 * (docs/adr/0008-history.md): what gets worse there may be their doing.
 */
function heldMember(
  rollout: Rollout,
  member: Member,
  heldBy: HoldReason,
  now: number,
  isPaused: boolean,
): Assessment {
  const { nodeId } = member;
  const suspects = heldBy === "pin" ? suspectsOf(rollout, member, now, isPaused) : {};
  const failure = lastingSuspect(rollout, member, suspects, now);
  const rest = { steadySince: null, awaitedMs: 0, firstFindings: null };
  return { nodeId, outcome: "held", heldBy, suspects, failure, ...rest };
}

/** A pause of the observation does not count: no one knows whether a state could go out meanwhile. */
function awaitedMsOf(
  { checkedAt }: Rollout,
  { seen, awaitedMs }: Member,
  now: number,
  isPaused: boolean,
): number {
  if (seen.progress.kind !== "underway") return 0;
  return seen.online && !isPaused ? awaitedMs + (now - checkedAt) : awaitedMs;
}

/** What needs no time to be a failure. */
function failedGate(rollout: Rollout, member: Member, awaitedMs: number): WaveFailure | null {
  const { seen, baseline, expected } = member;
  const { progress } = seen;
  if (progress.kind === "failed") return { gate: "task", params: { reason: progress.reason } };
  if (progress.kind === "confirmed" && rollout.findings) {
    // Without earlier ones, what it reports first is none of the version: only its objects are evaluated.
    const before = baseline?.findings ?? seen.findingsBefore ?? seen.findings;
    const names = unexpected(progress.idle, expected, seen.findings, before);
    if (names.length > 0) {
      return {
        gate: "findings",
        params: { objects: names.slice(0, 5).join(", "), count: names.length },
      };
    }
  }
  return awaitedMs >= arrivalMs
    ? { gate: "arrival", params: { seconds: arrivalMs / 1_000 } }
    : null;
}

/** Names of what does not act and was not expected to be so. */
function unexpected(
  idle: readonly IdleObject[],
  expected: StoredExpectation | null,
  findings: readonly string[],
  before: readonly string[],
): string[] {
  const objects = expected?.isKnown
    ? idle.filter(({ key }) => !expected.objects.includes(key)).map(({ name }) => name)
    : [];
  return [...objects, ...findings.filter((finding) => !before.includes(finding))];
}

/**
 * How many links are up that the CPE was to have before and still is, now and then: one that was removed since is no
 * damage, and one that came since makes up for none.
 */
function comparedLinks({ links, linkIds }: Seen, before: StoredObservation) {
  const { linkIds: then } = before;
  if (!then) return { now: links, before: Math.min(before.links, linkIds.wanted.length) };
  const wanted = new Set(linkIds.wanted);
  const known = new Set(then.wanted);
  return {
    now: linkIds.up.filter((id) => known.has(id)).length,
    before: then.up.filter((id) => wanted.has(id)).length,
  };
}

function hasLostLinks(seen: Seen, baseline: StoredObservation): boolean {
  const { now, before } = comparedLinks(seen, baseline);
  return now < before;
}

/** What is worse than before at this moment, with the time since when. */
function suspectsOf(
  rollout: Rollout,
  { seen, baseline, suspects }: Member,
  now: number,
  isPaused: boolean,
): Suspects {
  if (!baseline) return {};
  const isLossy =
    rollout.loss !== null && seen.loss !== null && seen.loss > (baseline.loss ?? 0) + rollout.loss;
  const worse: Partial<Record<WaveGate, boolean>> = {
    // One that confirmed the version was in contact, also if it was not when its wave started.
    contact: rollout.contact && !seen.online && (baseline.online || isConfirmed(seen)),
    // Without contact its links are not known; that is a matter of the other gate.
    links: rollout.links && seen.online && hasLostLinks(seen, baseline),
    loss: isLossy,
    task: seen.progress.kind === "uncompiled",
  };
  const gates = (Object.keys(worse) as WaveGate[]).filter((gate) => worse[gate]);
  return Object.fromEntries(gates.map((gate) => [gate, isPaused ? now : (suspects[gate] ?? now)]));
}

function lastingSuspect(
  rollout: Rollout,
  { seen, baseline, compared }: Member,
  suspects: Suspects,
  now: number,
): WaveFailure | null {
  const { graceMs } = rollout;
  // Until it is known that it could be compiled without the version, that is no failure of the version.
  const isOfVersion = compared !== null && isSameFailure(seen.failure, compared.failure);
  const lasting = Object.entries(suspects).find(([gate, since]) =>
    gate === "task" ? isOfVersion && now - since >= taskGraceMs(rollout) : now - since >= graceMs,
  );
  if (!lasting) return null;
  const gate = lasting[0] as WaveGate;
  const seconds = Math.round(graceMs / 1_000);
  if (gate === "task") return { gate, params: { reason: JSON.stringify(seen.failure) } };
  if (gate === "contact") return { gate, params: { seconds } };
  if (gate === "links") {
    const params = baseline ? comparedLinks(seen, baseline) : { now: seen.links, before: 0 };
    return { gate, params };
  }
  return { gate, params: { now: seen.loss ?? 0, before: baseline?.loss ?? 0 } };
}
