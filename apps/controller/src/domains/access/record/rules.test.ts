import { describe, expect, test } from "vitest";
import { rowName } from "./object-name.ts";
import { differences } from "./rules.ts";

describe("differences", () => {
  test("of an edit are the fields that changed", () => {
    const old = { name: "a", mtu: 1400, remark: "", ids: [1, 2], updated_at: "x" };
    const now = { name: "b", mtu: 1400, remark: null, ids: [1, 2, 3], updated_at: "y" };
    expect(differences(old, now)).toEqual([
      { field: "name", old: "a", new: "b" },
      { field: "ids", old: [1, 2], new: [1, 2, 3] },
    ]);
  });

  test("of an added or removed row are its values that are not empty", () => {
    const row = { id: 3, name: "a", remark: "", ids: [], enable: false };
    expect(differences(null, row)).toEqual([
      { field: "name", old: null, new: "a" },
      { field: "enable", old: null, new: false },
    ]);
    expect(differences(row, null)).toEqual([
      { field: "name", old: "a", new: null },
      { field: "enable", old: false, new: null },
    ]);
  });

  test("contain added and removed fields", () => {
    expect(differences({ a: 1 }, { b: 0 })).toEqual([
      { field: "a", old: 1, new: null },
      { field: "b", old: null, new: 0 },
    ]);
    expect(differences(null, null)).toEqual([]);
  });
});

test("a row is called by the best name of its kind, the new one first", () => {
  expect(rowName("role", { name: "old" }, { name: "new" })).toBe("new");
  expect(rowName("user", null, { name: "Li", loginName: "li@demo" })).toBe("li@demo");
  expect(rowName("cpe", { alias: "CPE-1", name: "x" }, null)).toBe("CPE-1");
  expect(rowName("user", null, { name: "", login_name: "u" })).toBe("u");
  expect(rowName("staticroute", null, { destination: "10.0.0.0/8" })).toBe("10.0.0.0/8");
  expect(rowName("nodeState", null, { serial: 4 })).toBe("");
});
