import {
  type Column,
  nameColumn,
  numberColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import type { Glyph } from "#ui/glyph.tsx";
import { type CloudRow, type CloudTexts, tableOf } from "./cloud-texts.ts";

const glyphs: Readonly<Record<CloudRow["auditStatus"], Glyph>> = { 0: "off", 1: "ok", 2: "bad" };

const endsOf = ({ localIp, peerIp }: CloudRow): string | null =>
  localIp && peerIp ? `${localIp} – ${peerIp}` : null;

/** @param mayPop whether the person may see on which POP a node is (section 6). */
export const cloudColumns = (t: CloudTexts, mayPop: boolean): Column<CloudRow>[] => [
  stateColumn(
    "auditStatus",
    t.field("auditStatus"),
    (row: CloudRow) => ({
      glyph: glyphs[row.auditStatus],
      word: t.code("auditStatus", row.auditStatus),
      ...(row.auditRemark && { hint: row.auditRemark }),
    }),
    { width: 112 },
  ),
  nameColumn(
    "name",
    t.field("name"),
    (row: CloudRow) => ({ text: row.name, to: tableOf(row.id) }),
    { sort: true, width: 152 },
  ),
  textColumn("cloud", t.field("cloud"), (row: CloudRow) => t.code("cloud", row.cloud), {
    width: 112,
  }),
  ...(mayPop
    ? [textColumn("popName", t.field("popName"), (row: CloudRow) => row.popName, { width: 104 })]
    : []),
  {
    // A number that no one counts with: without separators.
    ...textColumn(
      "vlan",
      t.field("vlan"),
      (row: CloudRow) => (row.vlan ? String(row.vlan) : null),
      {
        width: 72,
        missing: t("cloud.untagged"),
      },
    ),
    align: "right",
  },
  textColumn("ends", `${t.field("localIp")} – ${t.field("peerIp")}`, endsOf, { width: 216 }),
  numberColumn(
    "bandwidth",
    `${t.field("bandwidth")} Mbit/s`,
    (row: CloudRow) => (row.bandwidth === null ? null : row.bandwidth / 1_000),
    { width: 128 },
  ),
  numberColumn("routes", t("cloud.tableRows"), (row: CloudRow) => row.routes, { width: 88 }),
  textColumn("enterpriseName", t.field("enterpriseName"), (row: CloudRow) => row.enterpriseName, {
    optional: true,
  }),
  textColumn("auditBy", t.field("auditBy"), (row: CloudRow) => row.auditBy, { optional: true }),
  timeColumn("auditTime", t.field("auditTime"), (row: CloudRow) => row.auditTime, {
    optional: true,
  }),
  textColumn("remark", t.field("remark"), (row: CloudRow) => row.remark, { optional: true }),
];
