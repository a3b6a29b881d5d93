import { paths } from "#client/paths.ts";
import { enterpriseColumn } from "#domains/enterprises/parts/enterprise/of-enterprise.tsx";
import {
  type Column,
  copyColumn,
  nameColumn,
  numberColumn,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { enableColumn } from "#parts/enable-column.tsx";
import { megabitsOf } from "#parts/fields/bandwidth-field.tsx";
import type { Glyph } from "#ui/glyph.tsx";
import type { AccountRow, AccountTexts } from "./account-texts.ts";

/** 3 normal, 4 due soon, 5 expired. */
const licenceGlyphs: Readonly<Record<number, Glyph>> = { 3: "ok", 4: "warn", 5: "bad" };

/** Columns of the accounts; bandwidth only for whom may see it (B-6-16). */
export const accountColumns = (t: AccountTexts, seesBandwidth: boolean): Column<AccountRow>[] => [
  enableColumn(t),
  nameColumn(
    "alias",
    t.field("alias"),
    (row: AccountRow) => ({ text: row.alias, to: paths.accountReport(row.id) }),
    { sort: true },
  ),
  textColumn("loginName", t.field("loginName"), (row: AccountRow) => row.loginName, { sort: true }),
  enterpriseColumn<AccountRow>(t.field("enterpriseName")),
  textColumn("terminalType", t.field("terminalType"), (row: AccountRow) =>
    t.code("terminalType", row.terminalType),
  ),
  copyColumn("address", t.field("address"), (row: AccountRow) => row.address, {
    missing: t("client.none"),
  }),
  textColumn("popName", t.field("popId"), (row: AccountRow) => row.popName, {
    missing: t("account.noPop"),
  }),
  ...(seesBandwidth
    ? [
        numberColumn("txbps", t("account.txTitle"), (row: AccountRow) => megabitsOf(row.txbps), {
          missing: t("account.inherited"),
          digits: 1,
        }),
        numberColumn("rxbps", t("account.rxTitle"), (row: AccountRow) => megabitsOf(row.rxbps), {
          missing: t("account.inherited"),
          digits: 1,
        }),
      ]
    : []),
  stateColumn("tokenState", t("account.state"), (row: AccountRow) => ({
    glyph: licenceGlyphs[row.tokenState] ?? "unknown",
    label: t.code("tokenState", row.tokenState),
  })),
  timeColumn("expire", t.field("expire"), (row: AccountRow) => row.expire, {
    sort: true,
    missing: t("account.noEnd"),
  }),
  textColumn("phone", t.field("phone"), (row: AccountRow) => row.phone, { optional: true }),
  textColumn("email", t.field("email"), (row: AccountRow) => row.email, { optional: true }),
  textColumn("remark", t.field("remark"), (row: AccountRow) => row.remark || null),
];
