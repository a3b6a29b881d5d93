import {
  createCipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
} from "node:crypto";
import { sealedForm, x25519Der } from "@weft/contract/device/v1/sealed-secret.ts";

const privateKeyOf = (raw: Buffer) =>
  createPrivateKey({
    key: Buffer.concat([Buffer.from(x25519Der.private, "hex"), raw]),
    format: "der",
    type: "pkcs8",
  });
const publicKeyOf = (raw: Buffer) =>
  createPublicKey({
    key: Buffer.concat([Buffer.from(x25519Der.public, "hex"), raw]),
    format: "der",
    type: "spki",
  });

/**
 * Seals a secret so that only the device opens it (sealed-secret.ts of the contract).
 * @param deviceKey its tunnel's public key, base64
 * @param own 32 bytes known to the controller alone and used for nothing else: the same ones give the same text
 */
export function sealToDevice(secret: string, deviceKey: string, own: Buffer): string {
  const device = Buffer.from(deviceKey, "base64");
  const privateKey = privateKeyOf(own);
  const ownPublic = createPublicKey(privateKey)
    .export({ format: "der", type: "spki" })
    .subarray(-sealedForm.keyBytes);
  const shared = diffieHellman({ privateKey, publicKey: publicKeyOf(device) });
  const salt = Buffer.concat([ownPublic, device]);
  const key = Buffer.from(hkdfSync("sha256", shared, salt, sealedForm.info, sealedForm.keyBytes));
  const cipher = createCipheriv(sealedForm.cipher, key, Buffer.alloc(sealedForm.nonceBytes));
  const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([ownPublic, text, cipher.getAuthTag()]).toString("base64url");
}
