import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  defaultPermissions,
  hasAllRoles,
  hasAnyRole,
  holds,
  holdsAll,
  holdsAny,
  type Permission,
  permissionCodes,
  permissions,
} from "#contract/permissions.ts";

interface Listed {
  readonly code: Permission;
  readonly label_zh: string;
  readonly label_en: string;
  readonly defaultRoles: readonly string[];
}

const file = path.join(import.meta.dirname, "../spec/permissions.json");
const listed: Listed[] = JSON.parse(fs.readFileSync(file, "utf8")).permissions;
const roleTypes = ["controller", "agent", "enterprise"] as const;

test.each(listed.map((one) => [one.code, one] as const))(
  "permissions:%s has its texts and roles, is granted by its own code and not without it",
  (code, { label_zh, label_en, defaultRoles }) => {
    expect(permissions[code]).toMatchObject({ zh: label_zh, en: label_en });
    for (const [type, name] of roleTypes.entries()) {
      const given = defaultPermissions(type as 0 | 1 | 2).includes(code);
      expect(given, name).toBe(defaultRoles.includes(name));
    }
    expect(holds({ userId: 2, authorities: [code] }, code)).toBe(true);
    const others = permissionCodes.filter((permissionCode) => permissionCode !== code);
    expect(holds({ userId: 2, authorities: others }, code)).toBe(false);
  },
);

test("there are no permission codes besides those of the specification and additions with a reason", () => {
  const own = permissionCodes.filter((code) => permissions[code].addition === undefined);
  expect([...own].sort()).toEqual(listed.map(({ code }) => code).sort());
});

describe("who has which permissions", () => {
  const without = (userId: number) => ({ userId, authorities: [] });
  const any = (userId: number) => permissionCodes.filter((code) => holds(without(userId), code));
  test("B-6-01: user 1 has every permission with an empty list", () => {
    expect(any(1)).toEqual(permissionCodes);
    expect(holdsAll(without(1), permissionCodes)).toBe(true);
  });
  test("B-6-02: user 2 with an empty list has none", () => {
    expect(any(2)).toEqual([]);
    expect(holdsAny(without(2), permissionCodes)).toBe(false);
  });
  test.each([11, 1.5])("B-6-03: user id %s is not user 1", (userId) => {
    expect(any(userId)).toEqual([]);
  });
  test("a visitor with a link of user 1 has the permissions of the link, and no others", () => {
    const visitor = { userId: 1, authorities: ["cpeAdd"], visitEndTime: new Date() };
    expect(permissionCodes.filter((code) => holds(visitor, code))).toEqual(["cpeAdd"]);
    expect(any(1)).toEqual(permissionCodes);
  });
  const user = { roles: ["a", "b"] };
  const principal = { userId: 2, authorities: ["cpeAdd", "cpeEdit"] };
  test("B-6-04: has all roles, and all codes", () => {
    expect([hasAllRoles(user, ["a", "b"]), hasAllRoles(user, ["a", "c"])]).toEqual([true, false]);
    expect(holdsAll(principal, ["cpeAdd", "cpeEdit"])).toBe(true);
    expect(holdsAll(principal, ["cpeAdd", "cpeSsh"])).toBe(false);
  });
  test("B-6-05: has any role, and any code", () => {
    expect([hasAnyRole(user, ["c", "a"]), hasAnyRole(user, ["c", "d"])]).toEqual([true, false]);
    expect(holdsAny(principal, ["cpeSsh", "cpeAdd"])).toBe(true);
    expect(holdsAny(principal, ["cpeSsh", "popAdd"])).toBe(false);
  });
  test("B-6-06: of empty lists, all are present, and any is not", () => {
    expect([hasAllRoles(user, []), hasAnyRole(user, [])]).toEqual([true, false]);
    expect([holdsAll(principal, []), holdsAny(principal, [])]).toEqual([true, false]);
  });
});
