/** From a claim to an enrolment: what `enrol`, `run` and the simulated fleet have in common. */
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
 * Keeps a claim on the disk, so that the next run goes on with it. Throws when the text is no
 * claim; the old enrolment, if there is one, stays until the claim is approved.
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
 * Serials of another controller or node say nothing about the new one's: what runs goes on, but is
 * no longer "the confirmed state". The first state then takes over whatever is there.
 */
const forgetOther = async (store: EdgeStore, fresh: Enrolment): Promise<void> => {
  const old = await store.enrolment.read();
  if (
    old.kind === "value" &&
    old.value.node === fresh.node &&
    old.value.controllerKey === fresh.controllerKey
  )
    return;
  await store.journal.clear();
  await store.confirmed.clear();
  await store.outcome.clear();
  await store.epoch.clear();
};

/**
 * Goes on with a kept claim until it is decided. Gives the enrolment; null when there is no claim,
 * it was refused (and is forgotten then), or the signal ended.
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
    // There is a copy of this device's keys. With new ones the claim is valid for one of the two.
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

/** The enrolment, if there is one that can be used: its identity key must be there as well. */
export const findEnrolment = async (store: EdgeStore): Promise<Enrolment | null> => {
  const found = await store.enrolment.read();
  return found.kind === "value" && (await store.identity()) ? found.value : null;
};

const isSame = (one: Enrolment | null, other: Enrolment | null): boolean =>
  one?.node === other?.node && one?.controllerKey === other?.controllerKey;

/**
 * Waits until the device is enrolled otherwise than now, as long as it takes; null when the signal
 * ended. Both ways lead there: a claim that this process uses, and one that `weft-edge enrol`,
 * started before this process ran, has used and cleared meanwhile.
 */
export const awaitEnrolment = async (
  deps: EnrolmentDeps,
  now: Enrolment | null,
  signal: AbortSignal,
): Promise<Enrolment | null> => {
  while (!signal.aborted) {
    const fresh = await useClaim(deps, signal);
    if (fresh) return fresh;
    const found = await findEnrolment(deps.store);
    if (found && !isSame(found, now)) return found;
    await sleep(deps.clock, pollMs, signal);
  }
  return null;
};
