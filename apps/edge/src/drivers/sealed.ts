import {
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
} from "node:crypto";
import { sealedForm, x25519Der } from "@weft/contract/device/v1/sealed-secret.ts";

/**
 * Opens a secret of a state (sealed-secret.ts of the contract); null: it was sealed to another key, or changed since.
 * @param tunnelPrivateKey of this device, base64
 */
export const openSecret = (sealed: string, tunnelPrivateKey: string): string | null => {
  const { keyBytes, nonceBytes, tagBytes } = sealedForm;
  const all = Buffer.from(sealed, "base64url");
  try {
    const privateKey = createPrivateKey({
      key: Buffer.concat([
        Buffer.from(x25519Der.private, "hex"),
        Buffer.from(tunnelPrivateKey, "base64"),
      ]),
      format: "der",
      type: "pkcs8",
    });
    const device = createPublicKey(privateKey)
      .export({ format: "der", type: "spki" })
      .subarray(-keyBytes);
    const other = all.subarray(0, keyBytes);
    const publicKey = createPublicKey({
      key: Buffer.concat([Buffer.from(x25519Der.public, "hex"), other]),
      format: "der",
      type: "spki",
    });
    const shared = diffieHellman({ privateKey, publicKey });
    const salt = Buffer.concat([other, device]);
    const key = Buffer.from(hkdfSync("sha256", shared, salt, sealedForm.info, keyBytes));
    const decipher = createDecipheriv(sealedForm.cipher, key, Buffer.alloc(nonceBytes));
    decipher.setAuthTag(all.subarray(-tagBytes));
    const text = decipher.update(all.subarray(keyBytes, -tagBytes));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return null;
  }
};
