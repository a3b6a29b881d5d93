import { grantCodes } from "@weft/contract/grants.ts";
import { permissionCodes, permissions } from "@weft/contract/permissions.ts";
import listed from "@weft/contract/spec/permissions.json" with { type: "json" };
import { expect, test } from "vitest";
import { byFamily, familyOf, grantable } from "./permission-families.ts";

test("every code is in the family that the specification lists it in", () => {
  const families = Object.fromEntries(listed.permissions.map(({ code, family }) => [code, family]));
  const own = permissionCodes.filter((code) => permissions[code].addition === undefined);
  for (const code of own) expect(familyOf(code), code).toBe(families[code]);
});

test("codes are grouped in the contract's order, unknown ones and empty families left out", () => {
  expect(byFamily(["sysUserAdd", "popStrategyAdd", "cpeEdit", "cpeAdd", "what"])).toEqual([
    { family: "cpe", codes: ["cpeAdd", "cpeEdit"] },
    { family: "popStrategy", codes: ["popStrategyAdd"] },
    { family: "sysUser", codes: ["sysUserAdd"] },
  ]);
  expect(byFamily(["/system/rolemanage", "cpeEdit", "/sdwan-system/cpe"])).toEqual([
    { family: "/sdwan-system", codes: ["/sdwan-system/cpe"] },
    { family: "/system", codes: ["/system/rolemanage"] },
    { family: "cpe", codes: ["cpeEdit"] },
  ]);
  expect(byFamily(grantCodes).flatMap(({ codes }) => codes)).toHaveLength(grantCodes.length);
  expect(byFamily(permissionCodes).flatMap(({ codes }) => codes)).toHaveLength(
    permissionCodes.length,
  );
});

test("a code that gates nothing cannot be granted, nor one that the person lacks", () => {
  const all = grantable({ userId: 1, authorities: [] });
  expect(all).toEqual(expect.arrayContaining(["accountRemove", "cpeAdd", "topLink"]));
  for (const code of ["clientRemove", "cpeSsh", "topPppoe"]) expect(all).not.toContain(code);
  expect(grantable({ userId: 2, authorities: ["cpeSsh", "cpeEdit"] })).toEqual(["cpeEdit"]);
  const person = { userId: 2, authorities: ["/system/configList"] };
  expect(grantable(person)).toEqual(["/system/configList"]);
});
