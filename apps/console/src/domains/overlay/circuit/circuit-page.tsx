import { circuit } from "@weft/contract/domains/overlay/circuit.ts";
import { circuitSummary } from "@weft/contract/domains/policies/policy-finding.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import { useOpened } from "#client/opened.ts";
import { paths } from "#client/paths.ts";
import { type Translate, useTexts } from "#client/texts.ts";
import { refreshEvery } from "#client/use-call.ts";
import { EnterpriseFilter } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { enterpriseColumn } from "#domains/enterprises/parts/enterprise/of-enterprise.tsx";
import { useRuleEffectColumn } from "#domains/policies/parts/policy/policy-effect.ts";
import { useRemove } from "#feedback/use-remove.ts";
import {
  type Column,
  nameColumn,
  numberColumn,
  plainColumns,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import type { Glyph } from "#ui/glyph.tsx";
import { CircuitForm } from "./circuit-form.tsx";
import { circuitMessages } from "./messages.ts";

type Row = RowOf<typeof circuit>;
type CircuitTexts = Translate<keyof typeof circuitMessages & string>;

const glyphs: Readonly<Record<number, Glyph>> = { 0: "disabled", 3: "ok", 4: "warn", 5: "bad" };
const mbits = (kbps: number | null): number | null => (kbps === null ? null : kbps / 1_000);
const linksGlyph = ({ links, linksUp }: Row): Glyph =>
  links === 0 ? "off" : linksUp === links ? "ok" : linksUp === 0 ? "bad" : "warn";

const columnsOf = (t: CircuitTexts, effect: Column<Row>): Column<Row>[] => [
  stateColumn("status", t("circuit.state"), (row: Row) => ({
    glyph: glyphs[row.status] ?? "unknown",
    label: t.code("circuitStatus", row.status),
  })),
  nameColumn(
    "name",
    t.field("name"),
    (row: Row) => ({ text: row.name, to: paths.circuitReport(row.id) }),
    { sort: true },
  ),
  enterpriseColumn<Row>(t.field("enterpriseName")),
  textColumn("ends", t("circuit.ends"), (row: Row) => `${row.sourceName} – ${row.targetName}`, {
    width: 224,
  }),
  numberColumn("bandwidth", t("circuit.bandwidth"), (row: Row) => mbits(row.bandwidth)),
  effect,
  numberColumn("guaranteed", t("circuit.guaranteed"), (row: Row) => mbits(row.guaranteed), {
    missing: t("circuit.guaranteedHelp"),
  }),
  stateColumn("links", t("circuit.links"), (row: Row) => ({
    glyph: linksGlyph(row),
    label: `${row.linksUp}/${row.links}`,
    ...(row.links === 0 && { hint: t("circuit.noLinks") }),
  })),
  timeColumn("expireTime", t.field("expireTime"), (row: Row) => row.expireTime, {
    sort: true,
    missing: t("circuit.noEnd"),
  }),
  textColumn(
    "lineQuality",
    t.field("lineQuality"),
    (row: Row) => t.code("lineQuality", row.lineQuality),
    { width: 128 },
  ),
  ...plainColumns(circuit, t, ["remark"]),
];

/** What enterprises have bought between two nodes (section 2.3). */
export default function CircuitPage() {
  const t = useTexts(circuitMessages);
  const list = useResourceList(circuit, { every: refreshEvery });
  const effect = useRuleEffectColumn({
    summary: circuitSummary,
    rows: list.rows,
    idOf: ({ id }: Row) => id,
    isOff: ({ status }) => status === 0 || status === 5,
  });
  const { opened, open, close } = useOpened();
  const remove = useRemove(circuit, {
    title: ([row]) => t("circuit.removeTitle", { name: row.name }),
    body: () => t("circuit.removeBody"),
  });
  const row = list.rows.find(({ id }) => id === opened?.id) ?? null;
  const isEditing = opened?.what === "edit" && row !== null;
  const add = { label: t("circuit.add"), may: "circuitAdd" as const, run: () => open("add") };
  return (
    <ListPage
      title={t("circuit.title")}
      list={list}
      rowKey="id"
      columns={columnsOf(t, effect)}
      filters={[
        { key: "name", kind: "text", label: t.field("name") },
        { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
      ]}
      more={[
        { key: "all", label: t("circuit.reportAll"), to: paths.circuitReportAll() },
        {
          key: "enterprise",
          label: t("circuit.reportEnterprise"),
          to: paths.circuitReportEnterprise(list.filters.groupid),
        },
      ]}
      add={add}
      empty={{ text: t("circuit.empty"), action: add }}
      actions={(one: Row) => [
        { key: "report", label: t("circuit.report"), to: paths.circuitReport(one.id) },
        { key: "edit", label: t("act.edit"), may: "circuitEdit", run: () => open("edit", one.id) },
        {
          key: "remove",
          label: t("act.remove"),
          may: "circuitRemove",
          danger: true,
          run: () => void remove([one]),
        },
      ]}
    >
      <CircuitForm
        open={opened?.what === "add" || isEditing}
        row={isEditing ? row : null}
        groupid={list.filters.groupid}
        onClose={close}
      />
    </ListPage>
  );
}
