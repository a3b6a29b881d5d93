import { permissionCodes } from "@weft/contract/permissions.ts";
import listed from "@weft/contract/spec/permissions.json" with { type: "json" };
import { expect, test } from "vitest";
import { byFamily, familyOf } from "./permission-families.ts";

test("every code is in the family that the specification lists it in", () => {
  const families = Object.fromEntries(listed.permissions.map(({ code, family }) => [code, family]));
  for (const code of permissionCodes) expect(familyOf(code), code).toBe(families[code]);
});

test("codes are grouped in the contract's order, unknown ones and empty families left out", () => {
  expect(byFamily(["sysUserAdd", "popStrategyAdd", "cpeEdit", "cpeAdd", "what"])).toEqual([
    { family: "cpe", codes: ["cpeAdd", "cpeEdit"] },
    { family: "popStrategy", codes: ["popStrategyAdd"] },
    { family: "sysUser", codes: ["sysUserAdd"] },
  ]);
  expect(byFamily(permissionCodes).flatMap(({ codes }) => codes)).toHaveLength(
    permissionCodes.length,
  );
});
