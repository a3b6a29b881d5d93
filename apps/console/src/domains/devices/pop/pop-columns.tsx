import { addressOf } from "@weft/contract/rules/address.ts";
import { paths } from "#client/paths.ts";
import { healthColumn, loopColumns } from "#domains/devices/parts/node/node-columns.tsx";
import { enterpriseColumn } from "#domains/enterprises/parts/enterprise/of-enterprise.tsx";
import {
  type Column,
  copyColumn,
  nameColumn,
  numberColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import type { PopRow, PopTexts } from "./pop-texts.ts";

/** Columns of the list: state first, then who it is, what it should run, what was measured. */
export const popColumns = (t: PopTexts): Column<PopRow>[] => [
  healthColumn<PopRow>(t),
  nameColumn(
    "name",
    t.field("name"),
    (row: PopRow) => ({
      text: row.name,
      to: paths.popDetail(row.id),
      logs: paths.nodeLog("pop", row.id),
    }),
    { sort: true, width: 176 },
  ),
  ...loopColumns<PopRow>(t),
  copyColumn("ip", t("pop.address"), (row: PopRow) => row.ip && addressOf(row.ip), {
    missing: t("node.noAddress"),
    width: 176,
  }),
  textColumn("regions", t.field("regions"), (row: PopRow) => row.regions || null, { width: 120 }),
  numberColumn("bandwidth", t("pop.bandwidthMbps"), (row: PopRow) =>
    row.bandwidth === null ? null : row.bandwidth / 1_000,
  ),
  enterpriseColumn<PopRow>(t.field("enterpriseName")),
  copyColumn("sn", t.field("sn"), (row: PopRow) => row.sn),
  timeColumn("lastOnline", t.field("lastOnline"), (row: PopRow) => row.lastOnline, {
    form: "since",
    optional: true,
    missing: t("node.never"),
  }),
  textColumn("version", t("node.version"), (row: PopRow) => row.version, { optional: true }),
  timeColumn("expireTime", t.field("expireTime"), (row: PopRow) => row.expireTime, {
    optional: true,
  }),
  textColumn("remark", t.field("remark"), (row: PopRow) => row.remark || null, { optional: true }),
  timeColumn("createTime", t.field("createTime"), (row: PopRow) => row.createTime, {
    sort: true,
    optional: true,
  }),
];
