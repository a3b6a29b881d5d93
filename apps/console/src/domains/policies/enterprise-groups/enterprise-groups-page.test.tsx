import type { Grant } from "@weft/contract/access.ts";
import { ipgroup, ipgroupUses } from "@weft/contract/domains/policies/enterprise-ip-group.ts";
import { describe, expect, it } from "vitest";
import { known, renderForTest } from "#client/render-for-test.tsx";
import EnterpriseGroupsPage from "./enterprise-groups-page.tsx";

const group = {
  id: 3,
  name: "Offices",
  groupid: 1,
  enterpriseName: "Acme",
  share: false,
  fromAbove: false,
  members: ["10.1.0.0/16", "10.2.1.1-10.2.1.9", "10.3.0.1", "fd00::/64"],
  remark: "",
  createTime: new Date(0),
};
const shared = {
  ...group,
  id: 4,
  name: "Threats",
  enterpriseName: "",
  share: true,
  fromAbove: true,
  members: ["192.0.2.1"],
};
const query = { groupid: null, name: null, orderByColumn: null, isAsc: null, page: 1, limit: 10 };
const noUses = { nodeCount: 0, nodes: [], templateCount: 0, templates: [] };
const uses = [
  {
    id: 3,
    nodeCount: 2,
    nodes: [
      { id: 7, kind: "cpe" as const, name: "Hangzhou" },
      { id: 8, kind: "pop" as const, name: "Shanghai" },
    ],
    templateCount: 1,
    templates: [{ id: 5, name: "Shops" }],
  },
  { id: 4, ...noUses },
];

const shown = (codes: readonly Grant[]): string =>
  renderForTest(<EnterpriseGroupsPage />, codes, [
    known(ipgroup.ops.list, query, [group, shared]),
    known(ipgroupUses, { ids: [3, 4] }, uses),
  ]);

describe("IP groups of enterprises", () => {
  const text = shown(["ipGroupManager"]);
  it("show how many members they have, the first ones, and what uses them", () => {
    expect(text).toContain(">4<");
    expect(text).toContain("10.1.0.0/16");
    expect(text).not.toContain(">fd00::/64<");
    expect(text).toMatch(/2 (?:devices|台设备)/);
    expect(text).toMatch(/1 (?:template|个模板)/);
    expect(text).toMatch(/Not used|未使用/);
  });
  it("that an enterprise above shares say so", () => {
    expect(text).toMatch(/An enterprise above|上级企业/);
  });
  it("are added and edited by those alone who manage IP groups", () => {
    const add = /Add IP group|新增 IP 组/;
    expect(text).toMatch(add);
    expect(shown(["/business-system/objectgroup"])).not.toMatch(add);
  });
});
