/**
 * What is signed on the wire (Ed25519, RFC 8032). Each text names protocol and role, so that no
 * signature can be replayed as another kind; both nonces are in it, so that none can be replayed.
 */
import type { StateId } from "#contract/device/v1/state.ts";

const lines = (...parts: (string | number)[]): string => ["weft-edge-v1", ...parts].join("\n");

/** A state in a proof: epoch and serial, with its revision where it has one. */
const named = ({ epoch, serial, revision }: StateId): (string | number)[] => [
  epoch,
  revision === undefined ? serial : `${serial}.${revision}`,
];

/** Signed by the device when it uses a claim. `token` is the claim's secret part. */
export const enrolProof = (token: string, serialNumber: string, nonce: string): string =>
  lines("enrol", token, serialNumber, nonce);
/** Signed by the controller in its answer to a claim. */
export const enrolledProof = (nonce: string, state: string, node: number | null): string =>
  lines("enrolled", nonce, state, node ?? "-");
/** Signed by the device that opens a socket. */
export const helloProof = (challenge: string, nonce: string, node: number): string =>
  lines("hello", challenge, nonce, node);
/**
 * Signed by the controller in its welcome. The epoch is in it: only the pinned key can begin a new
 * one, and a welcome from before a restore cannot be used as one from after it.
 */
export const welcomeProof = (
  challenge: string,
  nonce: string,
  node: number,
  epoch: number,
): string => lines("welcome", challenge, nonce, node, epoch);
/** Signed by the device that proves that it still reaches the controller. */
export const confirmProof = (node: number, state: StateId, digest: string, nonce: string): string =>
  lines("confirm", node, ...named(state), digest, nonce);
/** Signed by the controller after it committed the confirmation. */
export const confirmedProof = (node: number, state: StateId, nonce: string): string =>
  lines("confirmed", node, ...named(state), nonce);
/**
 * Signed by a controller that was asked for a confirmation and could not read its database. The
 * nonce was made after the apply, so the statement cannot be older than that.
 */
export const unableProof = (node: number, state: StateId, nonce: string): string =>
  lines("unable", node, ...named(state), nonce);
/**
 * Signed by the controller's present key when it announces the next one, or (null) that there is none. With
 * both nonces of the connection, so that no announcement can be repeated on another one.
 */
export const nextKeyProof = (
  challenge: string,
  nonce: string,
  node: number,
  next: string | null,
): string => lines("nextKey", challenge, nonce, node, next ?? "-");
/** Signed by the next key itself: no device is told to accept a key that its controller does not hold. */
export const heldKeyProof = (
  challenge: string,
  nonce: string,
  node: number,
  next: string,
): string => lines("heldKey", challenge, nonce, node, next);
