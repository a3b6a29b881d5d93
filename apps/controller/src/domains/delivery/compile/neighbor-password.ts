/** Passwords of BGP neighbours, as their device gets them. */
import { createHash } from "node:crypto";
import { type SecretOwner, secretOf } from "#domains/policies/policy/public.ts";
import { sealToDevice } from "#kernel/seal-to-device.ts";
import type { Vault } from "#kernel/vault.ts";

/** Turns a password as it is stored into what is sent; null: it cannot be. */
export type SealPassword = (stored: string, owner: SecretOwner) => string | null;

/** What a daemon takes: printable characters without a space. */
const isUsable = (password: string): boolean => /^[\x21-\x7e]{1,80}$/.test(password);

/** @param deviceKey public key of the device's tunnels, base64; null: no device has reported one */
export const sealTo =
  (vault: Vault, nodeId: number, deviceKey: string | null): SealPassword =>
  (stored, owner) => {
    const password = secretOf(vault, "router_bgp", "password", owner).open(stored);
    if (deviceKey === null || password === null || !isUsable(password)) return null;
    // The same for as long as the row and the device are: an equal state is not a new one.
    const own = vault.derive(`password of a BGP neighbour: ${nodeId} ${deviceKey} ${stored}`);
    try {
      return sealToDevice(password, deviceKey, own);
    } catch {
      // A point of small order (RFC 7748, section 6.1) is no key of a device.
      return null;
    }
  };

/** For comparing states that are made in this way only: no device opens it. */
export const standIn: SealPassword = (stored) =>
  createHash("sha512").update(stored).digest("base64url");
