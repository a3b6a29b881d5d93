import { addressOf } from "@weft/contract/rules/address.ts";
import { paths } from "#client/paths.ts";
import { asDisplayed } from "#domains/devices/parts/node/mock-online.ts";
import { healthColumn, loopColumns } from "#domains/devices/parts/node/node-columns.tsx";
import { standbyLabel } from "#domains/devices/parts/standby/standby-state.ts";
import { enterpriseColumn } from "#domains/enterprises/parts/enterprise/of-enterprise.tsx";
import {
  type Column,
  copyColumn,
  nameColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import type { CpeRow, CpeTexts } from "./cpe-texts.ts";

/**
 * Columns of the list: state first, then who it is, what it should run, what was measured.
 * @param mocked enterprises whose offline CPEs are displayed as online
 */
export const cpeColumns = (t: CpeTexts, mocked: ReadonlySet<number>): Column<CpeRow>[] => [
  healthColumn<CpeRow>(t, (row) => asDisplayed(row, mocked)),
  nameColumn(
    "alias",
    t.field("alias"),
    (row: CpeRow) => ({
      text: row.alias,
      to: paths.cpeDetail(row.id),
      logs: paths.nodeLog("cpe", row.id),
    }),
    { sort: true, width: 184 },
  ),
  ...loopColumns<CpeRow>(t),
  // Before the addresses: at 1440 it is neither cut nor below the actions.
  enterpriseColumn<CpeRow>(t.field("enterpriseName"), { width: 168 }),
  copyColumn("wanIp", t.field("wanIp"), (row: CpeRow) => row.wanIp && addressOf(row.wanIp), {
    missing: t("node.noAddress"),
    width: 176,
  }),
  copyColumn("lanIp", t.field("lanIp"), (row: CpeRow) => row.lanIp, {
    missing: t("cpe.noLan"),
    width: 168,
  }),
  textColumn("netSpaceName", t("cpe.space"), (row: CpeRow) => row.netSpaceName, {
    missing: t("cpe.noSpace"),
  }),
  copyColumn("sn", t.field("sn"), (row: CpeRow) => row.sn),
  timeColumn("lastOnline", t.field("lastOnline"), (row: CpeRow) => row.lastOnline, {
    form: "since",
    sort: true,
    optional: true,
    missing: t("node.never"),
  }),
  stateColumn("standbyState", t("standby.state"), (row: CpeRow) => standbyLabel(row, t), {
    optional: true,
    width: 144,
  }),
  timeColumn("standbySince", t("standby.since"), (row: CpeRow) => row.standbySince, {
    form: "since",
    optional: true,
  }),
  textColumn("xMode", t.field("xMode"), (row: CpeRow) => t.code("xMode", row.xMode), {
    optional: true,
  }),
  textColumn("version", t("node.version"), (row: CpeRow) => row.version, { optional: true }),
  textColumn("timezone", t.field("timezone"), (row: CpeRow) => row.timezone, {
    optional: true,
    missing: t("cpe.zoneOfEnterprise"),
  }),
  timeColumn("expireTime", t.field("expireTime"), (row: CpeRow) => row.expireTime, {
    optional: true,
  }),
  textColumn("remark", t.field("remark"), (row: CpeRow) => row.remark || null, { optional: true }),
  timeColumn("createTime", t.field("createTime"), (row: CpeRow) => row.createTime, {
    sort: true,
    optional: true,
  }),
];
