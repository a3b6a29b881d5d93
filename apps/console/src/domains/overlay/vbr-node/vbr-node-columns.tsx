import {
  type Column,
  nameColumn,
  numberColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import type { Glyph } from "#ui/glyph.tsx";
import { tableOf, type VbrNodeRow, type VbrNodeTexts } from "./vbr-node-texts.ts";

const glyphs: Readonly<Record<VbrNodeRow["auditStatus"], Glyph>> = { 0: "off", 1: "ok", 2: "bad" };

const endsOf = ({ localIp, peerIp }: VbrNodeRow): string | null =>
  localIp && peerIp ? `${localIp} – ${peerIp}` : null;

/** @param mayPop whether the person may see on which POP a node is (section 6). */
export const vbrNodeColumns = (t: VbrNodeTexts, mayPop: boolean): Column<VbrNodeRow>[] => [
  stateColumn(
    "auditStatus",
    t.field("auditStatus"),
    (row: VbrNodeRow) => ({
      glyph: glyphs[row.auditStatus],
      label: t.code("auditStatus", row.auditStatus),
      ...(row.auditRemark && { hint: row.auditRemark }),
    }),
    { width: 112 },
  ),
  nameColumn(
    "name",
    t.field("name"),
    (row: VbrNodeRow) => ({ text: row.name, to: tableOf(row.id) }),
    { sort: true, width: 152 },
  ),
  textColumn("cloud", t.field("cloud"), (row: VbrNodeRow) => t.code("cloud", row.cloud), {
    width: 112,
  }),
  ...(mayPop
    ? [textColumn("popName", t.field("popName"), (row: VbrNodeRow) => row.popName, { width: 104 })]
    : []),
  {
    // An identifier, not a quantity: without separators.
    ...textColumn(
      "vlan",
      t.field("vlan"),
      (row: VbrNodeRow) => (row.vlan ? String(row.vlan) : null),
      {
        width: 72,
        missing: t("vbrNode.untagged"),
      },
    ),
    align: "right",
  },
  textColumn("ends", `${t.field("localIp")} – ${t.field("peerIp")}`, endsOf, { width: 216 }),
  numberColumn(
    "bandwidth",
    `${t.field("bandwidth")} Mbit/s`,
    (row: VbrNodeRow) => (row.bandwidth === null ? null : row.bandwidth / 1_000),
    { width: 128 },
  ),
  numberColumn("routes", t("vbrNode.tableRows"), (row: VbrNodeRow) => row.routes, { width: 88 }),
  textColumn("enterpriseName", t.field("enterpriseName"), (row: VbrNodeRow) => row.enterpriseName, {
    optional: true,
  }),
  textColumn("auditBy", t.field("auditBy"), (row: VbrNodeRow) => row.auditBy, { optional: true }),
  timeColumn("auditTime", t.field("auditTime"), (row: VbrNodeRow) => row.auditTime, {
    optional: true,
  }),
  textColumn("remark", t.field("remark"), (row: VbrNodeRow) => row.remark, { optional: true }),
];
