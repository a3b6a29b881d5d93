import { sealedSample } from "@weft/contract/device/v1/sealed-sample.ts";
import { sealedSecret } from "@weft/contract/device/v1/sealed-secret.ts";
import { expect, test } from "vitest";
import { openSecret } from "./sealed.ts";

const { sealed, secret, tunnelPrivateKey } = sealedSample;

test("a device opens what is sealed to it", () => {
  expect(sealedSecret.parse(sealed)).toBe(sealed);
  expect(openSecret(sealed, tunnelPrivateKey)).toBe(secret);
});

test("nothing opens with another key, or when a bit of it changed", () => {
  expect(openSecret(sealed, Buffer.alloc(32, 8).toString("base64"))).toBeNull();
  const bytes = Buffer.from(sealed, "base64url");
  for (const at of [0, 33, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(openSecret(changed.toString("base64url"), tunnelPrivateKey)).toBeNull();
  }
  expect(openSecret("", tunnelPrivateKey)).toBeNull();
});
