import { samples } from "@weft/contract/samples/drafts.ts";
import { expect, test } from "vitest";
import { commonTexts, registerMessages } from "#client/texts.ts";
import { tableColumns } from "#kernel/list/table-columns.tsx";
import { healthMessages } from "#parts/health/messages.ts";
import { type LineRow, lineColumns } from "./line-columns.tsx";
import { nodeMessages } from "./messages.ts";
import type { NodeTexts } from "./node-texts.ts";

registerMessages(nodeMessages);
registerMessages(healthMessages);
const t = commonTexts() as NodeTexts;

const row: LineRow = {
  ...samples.line.valid({ groupid: 1, cpeId: 2, popId: 3 }),
  id: 1,
  lineQuality: 0,
  isp: "中国电信",
  currentIp: "198.51.100.77/24",
  ipv6State: null,
  currentIp6: null,
  currentGateway6: null,
  currentPrefix: null,
  ipv6Since: null,
  ipv6Until: null,
  status: 1,
};
const actions = ["报表", "编辑", "删除"].map((label) => ({ key: label, label }));

/** Columns that have no room in the settings of a node on a screen of 1440 px. */
const leftOut = (more: Partial<LineRow>): string[] =>
  tableColumns({
    columns: lineColumns(t),
    rows: [{ ...row, ...more }],
    actions: () => actions,
    actionsTitle: "操作",
    sort: null,
    room: 944,
    may: () => true,
    opens: { width: 40, isThere: false },
  }).leftOut.map(({ key }) => key);

test("a WAN link without IPv6 keeps no room for an address of it, which the carrier has", () => {
  expect(leftOut({})).not.toContain("isp");
});

test("an IPv6 address has its room before them", () => {
  const address = { ipv6State: "up", currentIp6: "2001:db8:bd9b::95e0/64" } as const;
  expect(leftOut(address)).not.toContain("ipv6State");
});
