import { expect, test } from "vitest";
import { policyDifferences } from "./policy-differences.ts";

const group = { id: 1, name: "tills", remark: "" };
const rule = (more: object = {}) => ({
  id: 7,
  name: "games",
  enable: true,
  sort: 1,
  urlgroupId: 3,
  ipgroupId: 1,
  timeId: null,
  action: 0,
  redirectUrl: null,
  remark: "",
  ...more,
});
const urls = { id: 3, name: "games", remark: "" };
const from = { routerIpgroup: [group], routerUrlgroup: [urls], routerUrlrule: [rule()] };

test("an object that comes is listed with its values, by the names of what it refers to", () => {
  const before = { routerIpgroup: [group], routerUrlgroup: [urls] };
  expect(policyDifferences(before, from)).toEqual([
    {
      section: "policy",
      spaceId: null,
      spaceName: "",
      kind: "routerUrlrule",
      key: "games",
      change: "added",
      fields: [
        { field: "name", old: null, new: "games" },
        { field: "enable", old: null, new: true },
        { field: "sort", old: null, new: 1 },
        { field: "urlgroupId", old: null, new: "games" },
        { field: "ipgroupId", old: null, new: "tills" },
        { field: "action", old: null, new: 0 },
      ],
    },
  ]);
});

test("a change names its fields alone; what stays is not listed, nor is a port without settings", () => {
  const port = { id: 1, netcard: "eth0", enable: true, vlan: null, mtu: null, remark: "" };
  const to = { ...from, routerUrlrule: [rule({ action: 1 })], routerInterface: [port] };
  expect(policyDifferences(from, to)).toMatchObject([
    { kind: "routerUrlrule", change: "changed", fields: [{ field: "action", old: 0, new: 1 }] },
  ]);
  expect(policyDifferences(from, from)).toEqual([]);
});

test("what goes is listed, and no secret of it", () => {
  const bgp = { id: 2, neighborIp: "10.0.0.1", password: "weft.v1.sealed", hasPassword: true };
  const [gone, ...more] = policyDifferences({ routerBgp: [bgp] }, {});
  expect(more).toEqual([]);
  expect(gone).toMatchObject({ kind: "routerBgp", key: "10.0.0.1", change: "removed" });
  expect(JSON.stringify(gone)).not.toContain("sealed");
});
