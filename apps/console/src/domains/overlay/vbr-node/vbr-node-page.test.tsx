import { vbrNode } from "@weft/contract/domains/overlay/vbr-node.ts";
import { describe, expect, it } from "vitest";
import { known, renderForTest } from "#client/render-for-test.tsx";
import VbrNodePage, { type VbrNodeRow } from "./vbr-node-page.tsx";

const row: VbrNodeRow = {
  id: 3,
  name: "Cloud-east",
  groupid: 1,
  enterpriseName: "",
  cloud: "aliyun",
  popId: 7,
  popName: "POP-SH",
  vlan: 1201,
  localIp: null,
  peerIp: null,
  bandwidth: null,
  auditStatus: 0,
  auditBy: null,
  auditTime: null,
  auditRemark: null,
  routes: 0,
  remark: "",
  createTime: new Date(0),
};
const query = {
  name: null,
  popId: null,
  auditStatus: null,
  orderByColumn: null,
  isAsc: null,
  page: 1,
  limit: 10,
};
const page = (authorities: Parameters<typeof renderForTest>[1]): string =>
  renderForTest(<VbrNodePage />, authorities, [known(vbrNode.ops.list, query, [row])]);
/** The labels of the row's buttons. */
const actionsOf = (html: string): string[] =>
  [...html.matchAll(/<(?:button|a)[^>]*>(?:<span>)?([^<]+)/g)].map(([, label = ""]) => label);

describe("cross-cloud networking", () => {
  it("B-6-19: without audit there is no audit action", () => {
    const may = ["vbrNodeEdit", "vbrNodeRemove", "vbrNodePopView"] as const;
    expect(actionsOf(page([...may, "vbrNodeAudit"]))).toContain("审核");
    const without = page(may);
    expect(without).toContain("Cloud-east");
    expect(actionsOf(without)).toContain("编辑");
    expect(actionsOf(without)).not.toContain("审核");
  });

  it("without popView the POP is not shown", () => {
    expect(page(["vbrNodePopView"])).toContain("POP-SH");
    expect(page([])).not.toContain("POP-SH");
  });
});
