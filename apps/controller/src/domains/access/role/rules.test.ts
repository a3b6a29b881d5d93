import { describe, expect, test } from "vitest";
import { excessOf, type Grant, type HeldPermissions, type Reach } from "./rules.ts";

const reach: Reach = {
  wholeTree: false,
  ownOnly: false,
  enterprises: new Set([5, 6]),
  subtrees: new Set([5]),
};
const permissions: HeldPermissions = {
  unlimited: false,
  roleType: 1,
  authorities: new Set(["cpeEdit", "cpeAdd"]),
  reach,
  roles: new Set(),
};
const grant: Grant = {
  enterpriseId: 5,
  roleType: 2,
  dataScope: 1,
  authorities: ["cpeEdit"],
  beyond: false,
};
const within = (changed: Partial<Grant>, by: Partial<Reach> = {}) =>
  excessOf({ ...grant, ...changed }, { ...permissions, reach: { ...reach, ...by } });

describe("users can grant only what they hold", () => {
  test("permissions", () => {
    expect(within({ authorities: ["cpeEdit", "cpeAdd"] })).toBeNull();
    expect(within({ authorities: ["cpeEdit", "cpeSsh"] })).toEqual({ permission: "cpeSsh" });
  });

  test("role types: a smaller number is more", () => {
    expect(within({ roleType: 1 })).toBeNull();
    expect(within({ roleType: 0 })).toEqual({ field: "roleType" });
  });

  test("subordinates only where they are in reach, those to come included", () => {
    expect(within({ dataScope: 3 })).toBeNull();
    expect(within({ dataScope: 3, enterpriseId: 6 })).toEqual({ field: "dataScope" });
  });

  test("no scope at all in an enterprise out of reach", () => {
    for (const dataScope of [1, 2, 3]) {
      expect(within({ dataScope, enterpriseId: 7 })).toEqual({ field: "dataScope" });
    }
  });

  test("selected enterprises that are in reach", () => {
    expect(within({ dataScope: 4 })).toBeNull();
    expect(within({ dataScope: 4, beyond: true })).toEqual({ field: "groupids" });
  });

  test("who sees only own data gives no more than own data", () => {
    const by = { ownOnly: true };
    expect(within({ dataScope: 2 }, by)).toBeNull();
    for (const dataScope of [1, 3]) {
      expect(within({ dataScope }, by)).toEqual({ field: "dataScope" });
    }
    expect(within({ dataScope: 4 }, by)).toEqual({ field: "groupids" });
  });

  test("the whole tree holds every scope, but not every permission", () => {
    expect(
      within({ dataScope: 3, enterpriseId: 99, beyond: true }, { wholeTree: true }),
    ).toBeNull();
    expect(within({ authorities: ["popAdd"] }, { wholeTree: true })).toEqual({
      permission: "popAdd",
    });
  });

  test("user 1 holds everything", () => {
    const most = { ...grant, roleType: 0, dataScope: 3, enterpriseId: 99, authorities: ["popAdd"] };
    expect(excessOf(most, { ...permissions, unlimited: true })).toBeNull();
  });
});
