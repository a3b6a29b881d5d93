import { randomBytes } from "node:crypto";
import type { Vault } from "#kernel/vault.ts";

/**
 * What a browser keeps of a login: that it logged in to the account. It opens nothing; it only spares the device the
 * delays that others cause. Sealed, so that no table is needed.
 */
const lifeMs = 180 * 24 * 3_600_000;
const idBytes = 16;
const ownerOf = (userId: number): string => `device:${userId}`;

export const newDeviceId = (): string => randomBytes(idBytes).toString("base64url");

/** What the device sends with its next login. */
export const deviceToken = (vault: Vault, userId: number, deviceId: string): string =>
  vault.seal(`${deviceId} ${Date.now()}`, ownerOf(userId)).toString("base64url");

/** Id of a device that logged in to this account before; null: it did not, or long ago. */
export function knownDeviceOf(vault: Vault, userId: number, token: string): string | null {
  const opened = vault.open(Buffer.from(token, "base64url"), ownerOf(userId));
  const [id = "", at = ""] = (opened ?? "").split(" ");
  return id !== "" && Date.now() - Number(at) < lifeMs ? id : null;
}
