import type { Permission } from "@weft/contract/permissions.ts";
import { Link } from "react-router";
import { paths, withSearch } from "#client/paths.ts";
import {
  type Column,
  moneyColumn,
  nameColumn,
  numberColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { enableColumn } from "#parts/enable-column.tsx";
import { Missing } from "#ui/missing.tsx";
import { textWidth } from "#ui/text-width.ts";
import type { EnterpriseRow, EnterpriseTexts } from "./enterprise-texts.ts";
import { lineageOf, type TreeNode } from "./lineage.ts";

const lineageText = (row: EnterpriseRow, nodes: ReadonlyMap<number, TreeNode>): string =>
  lineageOf(row.groupid, nodes).join(" / ") || (row.parentName ?? "");

/** Where an enterprise is: all of its ancestors; a click shows its parent's subordinates. */
function Lineage(props: {
  readonly row: EnterpriseRow;
  readonly nodes: ReadonlyMap<number, TreeNode>;
  readonly t: EnterpriseTexts;
}) {
  const { row, nodes, t } = props;
  if (row.parentId === null) return <Missing reason={t("enterprise.topmost")} />;
  const text = lineageText(row, nodes);
  return (
    <span className="w-cut" title={text}>
      <Link className="w-link" to={withSearch(paths.enterprise(), { parentId: row.parentId })}>
        {text}
      </Link>
    </span>
  );
}

/** Columns that need a permission of their own. */
const guardedColumns = (
  t: EnterpriseTexts,
  may: (code: Permission) => boolean,
): Column<EnterpriseRow>[] => [
  ...(may("enterpriseBillingPerm")
    ? [
        moneyColumn("balance", t.field("balance"), (row: EnterpriseRow) => row.balance),
        moneyColumn(
          "creditLimit",
          t.field("creditLimit"),
          (row: EnterpriseRow) => row.creditLimit,
          {
            optional: true,
          },
        ),
      ]
    : []),
  ...(may("enterpriseEndTime")
    ? [
        timeColumn("endTime", t("enterprise.ending"), (row: EnterpriseRow) => row.endTime, {
          form: "stamp",
          sort: true,
          width: 176,
        }),
      ]
    : []),
  ...(may("enterpriseShowPolicy")
    ? [
        textColumn(
          "strategyType",
          t("enterprise.strategy"),
          (row: EnterpriseRow) => row.popStrategyName ?? t.code("strategyType", row.strategyType),
          { width: 128, optional: true },
        ),
      ]
    : []),
  ...(may("enterpriseEditCTG")
    ? [
        textColumn(
          "isPush",
          t("enterprise.ctg"),
          (row: EnterpriseRow) => t.code("flag", row.isPush),
          {
            width: 80,
            optional: true,
          },
        ),
      ]
    : []),
];

export const enterpriseColumns = (
  t: EnterpriseTexts,
  nodes: ReadonlyMap<number, TreeNode>,
  may: (code: Permission) => boolean,
): Column<EnterpriseRow>[] => [
  enableColumn(t),
  nameColumn(
    "name",
    t.field("name"),
    (row: EnterpriseRow) => ({
      text: row.name,
      to: paths.enterprisePage(row.groupid),
      ...(row.isAgent && { note: t.field("isAgent") }),
    }),
    { sort: true, width: 208 },
  ),
  {
    key: "parentId",
    title: t.field("parentId"),
    width: 208,
    need: (row) => textWidth(lineageText(row, nodes)),
    cell: (row) => <Lineage row={row} nodes={nodes} t={t} />,
  },
  textColumn(
    "enterpriseType",
    t.field("enterpriseType"),
    (row: EnterpriseRow) => t.code("enterpriseType", row.enterpriseType),
    { width: 80, optional: true },
  ),
  {
    ...numberColumn("cpeCount", t("enterprise.cpes"), (row: EnterpriseRow) => row.cpeCount, {
      width: 64,
    }),
    cell: (row) => (
      <Link className="w-link" to={withSearch(paths.cpe(), { groupid: row.groupid })}>
        {row.cpeCount}
      </Link>
    ),
  },
  textColumn("regions", t.field("regions"), (row: EnterpriseRow) => row.regions.join(" ") || null, {
    width: 128,
  }),
  ...guardedColumns(t, may),
  textColumn("contact", t.field("contact"), (row: EnterpriseRow) => row.contact || null, {
    width: 104,
    optional: true,
  }),
  textColumn("phone", t.field("phone"), (row: EnterpriseRow) => row.phone, {
    width: 128,
    optional: true,
  }),
  textColumn("email", t.field("email"), (row: EnterpriseRow) => row.email, { optional: true }),
  textColumn("remark", t.field("remark"), (row: EnterpriseRow) => row.remark || null, {
    optional: true,
  }),
  timeColumn("createTime", t.field("createTime"), (row: EnterpriseRow) => row.createTime, {
    sort: true,
    optional: true,
  }),
  textColumn("createBy", t.field("createBy"), (row: EnterpriseRow) => row.createBy, {
    optional: true,
  }),
];
