import { sealedSample } from "@weft/contract/device/v1/sealed-sample.ts";
import { sealedSecret } from "@weft/contract/device/v1/sealed-secret.ts";
import { expect, test } from "vitest";
import { secretOf } from "#domains/policies/policy/public.ts";
import { sealToDevice } from "#kernel/seal-to-device.ts";
import { createVault } from "#kernel/vault.ts";
import { sealTo, standIn } from "./neighbor-password.ts";

const vault = createVault(Buffer.alloc(32, 1));
const { tunnelKey, own, secret, sealed } = sealedSample;
const owner = { template_id: 5, node_id: null };
const storedOf = (password: string) =>
  secretOf(vault, "router_bgp", "password", owner).seal(password);

test("is sealed as devices open it", () => {
  expect(sealToDevice(secret, tunnelKey, Buffer.from(own, "base64"))).toBe(sealed);
});

test("is the same text for one row and device, and another one for any other", () => {
  const [stored, again] = [storedOf(secret), storedOf(secret)];
  const first = sealTo(vault, 1, tunnelKey)(stored, owner) ?? "";
  expect(sealedSecret.parse(first)).toBe(first);
  expect(sealTo(vault, 1, tunnelKey)(stored, owner)).toBe(first);
  const others = [
    sealTo(vault, 2, tunnelKey)(stored, owner),
    sealTo(vault, 1, tunnelKey)(again, owner),
    sealTo(vault, 1, Buffer.alloc(32, 3).toString("base64"))(stored, owner),
  ];
  expect(new Set([first, ...others]).size).toBe(4);
});

test("is not sent where it cannot be opened, or no daemon takes it", () => {
  const seal = sealTo(vault, 1, tunnelKey);
  expect(seal(storedOf("with space"), owner)).toBeNull();
  expect(seal(storedOf("kennwört"), owner)).toBeNull();
  expect(seal(storedOf(secret), { template_id: null, node_id: 5 })).toBeNull();
  expect(
    sealTo(createVault(Buffer.alloc(32, 2)), 1, tunnelKey)(storedOf(secret), owner),
  ).toBeNull();
  expect(sealTo(vault, 1, null)(storedOf(secret), owner)).toBeNull();
});

test("is not sent to a key that no device has", () => {
  const order8 = "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800";
  for (const point of [Buffer.alloc(32), Buffer.from(order8, "hex")])
    expect(sealTo(vault, 1, point.toString("base64"))(storedOf(secret), owner)).toBeNull();
});

test("is not sent where its row was changed", () => {
  const seal = sealTo(vault, 1, tunnelKey);
  const stored = storedOf(secret);
  for (const poisoned of [
    "sealed:",
    `sealed:${vault.keyId}`,
    `sealed:${vault.keyId}:`,
    `sealed:${vault.keyId}:%00`,
    `${stored.slice(0, -6)}AAAAAA`,
    `${stored}${"A".repeat(100_000)}`,
  ])
    expect(seal(poisoned, owner)).toBeNull();
});

test("for a comparison another text takes its place, of the same form", () => {
  const stored = storedOf(secret);
  expect(sealedSecret.safeParse(standIn(stored, owner)).success).toBe(true);
  expect(standIn(stored, owner)).not.toBe(standIn(storedOf(secret), owner));
});
