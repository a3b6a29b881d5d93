import { describe, expect, test } from "vitest";
import { aclOf, type SiteRule, systemOf, type ViewSite } from "./device-settings.ts";

const none: ViewSite = { rules: [], blocked: [], restart: "close", drift: null };
const rule = (given: Partial<SiteRule>): SiteRule => ({
  section: 1,
  sort: 0,
  id: 1,
  name: "",
  allow: true,
  protocol: "any",
  source: null,
  target: null,
  sourcePort: null,
  targetPort: null,
  ...given,
});

describe("the ACL of a site", () => {
  test("has what is blocked first, then its rules by section, order and age", () => {
    const rules = [
      rule({ section: 2, id: 1, target: "10.2.0.9/16" }),
      rule({ section: 1, sort: 5, id: 2, allow: false, protocol: "tcp", targetPort: "22" }),
      rule({ section: 1, sort: 1, id: 3, source: "fd00:1::9/64" }),
    ];
    const blocked = [
      { id: 8, type: "mac", value: "AA-BB-CC-00-11-22" },
      { id: 9, type: "ip", value: "203.0.113.7" },
    ] as const;
    const any = {
      protocol: "any",
      source: null,
      target: null,
      sourcePort: null,
      targetPort: null,
      mac: null,
    };
    expect(aclOf({ ...none, rules, blocked })).toEqual([
      { ...any, action: "drop", source: "203.0.113.7/32" },
      { ...any, action: "drop", target: "203.0.113.7/32" },
      { ...any, action: "drop", mac: "aa:bb:cc:00:11:22" },
      { ...any, action: "accept", source: "fd00:1::/64" },
      { ...any, action: "drop", protocol: "tcp", targetPort: "22" },
      { ...any, action: "accept", target: "10.2.0.0/16" },
    ]);
    expect(aclOf({ ...none, rules: rules.toReversed(), blocked: blocked.toReversed() })).toEqual(
      aclOf({ ...none, rules, blocked }),
    );
    const objects = aclOf({ ...none, rules, blocked }, true).map(({ object }) => object);
    expect(objects).toEqual([
      { family: "blacklist", id: 9 },
      { family: "blacklist", id: 9 },
      { family: "blacklist", id: 8 },
      ...aclOf({ ...none, rules }, true).map(({ object }) => object),
    ]);
    expect(objects.slice(3).map((object) => object?.family)).toEqual(rules.map(() => "xaclrules"));
  });
});

test.each([
  ["30 2 * * *", { restartAt: { hour: 2, minute: 30 } }],
  ["0 0 * * *", { restartAt: { hour: 0, minute: 0 } }],
  ["close", null],
])("B-3-05: a restart of %s is %o in the state", (restart, wanted) => {
  expect(systemOf({ ...none, restart })).toEqual(wanted);
});

test("flows are recorded where the audit log of a site is on, by a device that can", () => {
  const on = { ...none, recordsFlows: true };
  expect(systemOf(on, false, true)).toEqual({ restartAt: null, flowRecords: true });
  expect(systemOf(on, true, false)).toBeNull();
  expect(systemOf(none, true, true)).toBeNull();
});

test("bytes are recorded unless a site keeps no records of them, and the device can leave them out", () => {
  const off = { ...none, recordsBytes: false };
  expect(systemOf(off, true)).toEqual({ restartAt: null, byteRecords: false });
  expect(systemOf(off)).toBeNull();
  expect(systemOf({ ...none, recordsBytes: true }, true)).toBeNull();
  expect(systemOf({ ...off, restart: "30 2 * * *" }, true)).toEqual({
    restartAt: { hour: 2, minute: 30 },
    byteRecords: false,
  });
});
