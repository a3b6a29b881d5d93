/** From an activation code to an enrolment: shared by `enrol`, `run` and the simulated fleet. */
import { decodeClaim } from "@weft/contract/device/v1/claim.ts";
import type { Clock, Random } from "#edge/clock.ts";
import { sleep } from "#edge/clock.ts";
import type { Log } from "#edge/log.ts";
import type { Dial } from "#link/dial.ts";
import { enrol } from "#link/enrol.ts";
import type { EdgeStore, Enrolment } from "#store/edge-store.ts";

export interface EnrolmentDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly dial: Dial;
  readonly log: Log;
  readonly store: EdgeStore;
}

const pollMs = 2_000;

/**
 * Stores a claim on the disk, so that the next run continues with it. Throws when the text is not a
 * claim; an existing enrolment stays valid until the claim is approved.
 */
export const keepClaim = async (
  store: EdgeStore,
  claim: string,
  serialNumber: string,
): Promise<void> => {
  if (decodeClaim(claim) === null) throw new Error("this is not a claim (weft1.…)");
  await store.claim.write({ claim: claim.trim(), serialNumber });
};

/**
 * Serials of another controller or node do not apply to the new one: the running state is kept, but is
 * no longer "the confirmed state". The first state then replaces whatever is configured.
 */
const forgetOther = async (store: EdgeStore, fresh: Enrolment): Promise<void> => {
  const old = await store.enrolment.read();
  if (
    old.kind === "value" &&
    old.value.node === fresh.node &&
    old.value.controllerKey === fresh.controllerKey
  )
    return;
  await store.nextPin.clear();
  await store.journal.clear();
  await store.confirmed.clear();
  await store.outcome.clear();
  await store.epoch.clear();
};

/**
 * Continues with a stored claim until it is decided. Returns the enrolment; null when there is no claim,
 * when it was refused (and is deleted), or when the signal ended the wait.
 */
export const useClaim = async (
  deps: EnrolmentDeps,
  signal: AbortSignal,
): Promise<Enrolment | null> => {
  const { store, log } = deps;
  const kept = await store.claim.read();
  if (kept.kind !== "value") return null;
  const claim = decodeClaim(kept.value.claim);
  if (claim === null) return null;
  const identity = await store.makeIdentity(deps.random);
  const { serialNumber } = kept.value;
  let end = await enrol({ ...deps, identity }, claim, serialNumber, signal);
  if (end.kind === "refused" && end.refusal === "quarantined") {
    // Another device has a copy of this device's keys. With new keys the claim is valid for one of the two.
    log.warn({ why: end.text }, "the key of this device is quarantined; generating a new one");
    const renewed = await store.renewIdentity(deps.random);
    end = await enrol({ ...deps, identity: renewed }, claim, serialNumber, signal);
  }
  if (end.kind === "stopped") return null;
  if (end.kind === "approved") {
    await forgetOther(store, end.enrolment);
    await store.enrolment.write(end.enrolment);
    log.info({ node: end.enrolment.node }, "enrolled");
  } else log.error({ refusal: end.refusal, why: end.text }, "the activation code was refused");
  await store.claim.clear();
  return end.kind === "approved" ? end.enrolment : null;
};

/** The enrolment if it can be used: its identity key must exist as well. */
export const findEnrolment = async (store: EdgeStore): Promise<Enrolment | null> => {
  const reading = await store.enrolment.read();
  return reading.kind === "value" && (await store.identity()) ? reading.value : null;
};

/**
 * Waits, without a limit, until the device has another enrolment; null when the signal ended the
 * wait. It may come from a claim that this process redeems, or from one that `weft-edge enrol`,
 * started before this process, has redeemed and cleared in the meantime.
 *
 * @param runs whether an enrolment is the one that the device runs as already
 */
export const awaitEnrolment = async (
  deps: EnrolmentDeps,
  runs: (enrolment: Enrolment) => boolean,
  signal: AbortSignal,
): Promise<Enrolment | null> => {
  while (!signal.aborted) {
    const fresh = await useClaim(deps, signal);
    if (fresh) return fresh;
    const enrolment = await findEnrolment(deps.store);
    if (enrolment && !runs(enrolment)) return enrolment;
    await sleep(deps.clock, pollMs, signal);
  }
  return null;
};
