import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { bitLabels, type EnumName, enumLabel, enumLists } from "#enums/labels.ts";

interface Listed {
  readonly id: EnumName;
  readonly kind: "code" | "bitmask";
  readonly values: readonly { value: string | number; zh: string; en: string }[];
}

const file = path.join(import.meta.dirname, "../../spec/enums.json");
const { groups }: { groups: Listed[] } = JSON.parse(fs.readFileSync(file, "utf8"));
const english = (name: EnumName, values: readonly unknown[]) =>
  values.map((value) => enumLabel(name, value)?.[1]);
const set = (name: EnumName, mask: number) => bitLabels(name, mask).map(([, en]) => en);

test.each(groups.map((group) => [group.id, group] as const))(
  "enums:%s has the values of the list, with their labels",
  (name, { kind, values }) => {
    expect(enumLists[name].kind).toBe(kind);
    expect(Object.keys(enumLists[name].labels).sort()).toEqual(
      values.map(({ value }) => String(value)).sort(),
    );
    for (const { value, zh, en } of values) {
      const label = kind === "code" ? [enumLabel(name, value)] : bitLabels(name, Number(value));
      expect(label, String(value)).toEqual([[zh, en]]);
    }
  },
);

test("there is no list but those of the specification", () => {
  expect(Object.keys(enumLists).sort()).toEqual(groups.map(({ id }) => id).sort());
});

describe("labels of codes", () => {
  test("B-1-07: role type 0 is the controller", () => {
    expect(enumLabel("roleType", 0)).toEqual(["控制器", "Controller"]);
  });
  test("B-1-08: role type 1 is an agent", () => {
    expect(enumLabel("roleType", 1)).toEqual(["代理商", "Agent"]);
  });
  test.each([2, 9, null, undefined])("B-1-09: role type %s is an enterprise", (value) => {
    expect(enumLabel("roleType", value)).toEqual(["企业", "Enterprise"]);
  });
  test("B-4-17: terminal types", () => {
    const labels = ["X86", "MIPS", "MIPSEL", "ARM", "PC", "Android", "Apple", "Client"];
    expect(english("terminalType", [1, 2, 3, 4, 5, 6, 7, 1000])).toEqual(labels);
  });
  test("B-4-19: node types", () => {
    expect(english("nodeType", [0, 1, 2])).toEqual(["Spoke", "Hub", "Hub"]);
  });
  test("B-4-20: line qualities", () => {
    const labels = ["Common line", "Special line", "Cloud special line", "Cloud special line"];
    expect(english("lineQuality", [0, 1, 2, 9])).toEqual(labels);
  });
  test("B-4-21: X-modes", () => {
    const labels = ["Router", "Bypass route", "Bypass NAT", "Bypass NAT"];
    expect(english("xMode", [0, 1, 2, 9])).toEqual(labels);
  });
  test("B-4-22: compare types", () => {
    expect(english("compareType", [1, 2, 3, 4])).toEqual([">", "<", ">=", "<="]);
  });
  test("B-4-23: link statuses", () => {
    const labels = ["Online", "Offline", "Offline", "Offline"];
    expect(english("cpeLinkStatus", [1, 0, 2, undefined])).toEqual(labels);
  });
  test("B-4-24: business types", () => {
    const labels = ["Network", "Acceleration", "Both", "Unset", "Unset"];
    expect(english("businessType", ["network", "speed", "all", "", "other"])).toEqual(labels);
  });
  test("a value that no list names has no label, even if objects have a property of that name", () => {
    expect(english("auditStatus", [7, "constructor", "__proto__", null])).toEqual(
      Array.from({ length: 4 }),
    );
  });
});

describe("labels of bit masks", () => {
  test("B-4-18: CPE types", () => {
    expect([0, 1, 2, 4, 8, 16, 128, 3].map((mask) => set("cpeType", mask))).toEqual([
      ["Unknown"],
      ["X86"],
      ["Mips"],
      ["MIPSEL"],
      ["ARM"],
      ["WinPC"],
      ["MAC"],
      ["X86", "Mips"],
    ]);
    expect(set("cpeType", 32 + 64)).toEqual(["Unknown"]);
  });
  test.each([
    ["userType", 5, ["CPE user", "PPPoE user"]],
    ["lineGroup", 9, ["Line 1", "Line 4"]],
    ["natType", 6, ["Destination NAT", "Full cone"]],
    ["ospfFlags", 3, ["Redistribute connected", "Redistribute static"]],
  ] as const)("B-4-25: two bits of %s give both labels in their order", (name, mask, labels) => {
    expect(set(name, mask)).toEqual(labels);
  });
});
