import { specialLinksCapability } from "@weft/contract/device/v1/path-classes.ts";
import { cpeFindAllByGroup } from "@weft/contract/domains/devices/cpe-actions.ts";
import { lineQualities } from "@weft/contract/domains/devices/enums.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { circuit } from "@weft/contract/domains/overlay/circuit.ts";
import { circuitSummary } from "@weft/contract/domains/policies/policy-finding.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { paths } from "#client/paths.ts";
import { useSession } from "#client/session.tsx";
import { codeOptions, type Translate, useTexts } from "#client/texts.ts";
import { refreshEvery, useCall } from "#client/use-call.ts";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { enterpriseColumn } from "#domains/enterprises/parts/enterprise/of-enterprise.tsx";
import { useRuleEffectColumn } from "#domains/policies/parts/policy/policy-effect.ts";
import { CapabilitiesProvider } from "#feedback/device-capabilities.tsx";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { Field, FieldRow } from "#kernel/form/field.tsx";
import {
  type Column,
  nameColumn,
  numberColumn,
  plainColumns,
  stateColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { resourcePage } from "#kernel/resource-view.tsx";
import { MegabitsControl } from "#parts/fields/megabits-control.tsx";
import type { Glyph } from "#ui/glyph.tsx";
import { circuitMessages } from "./messages.ts";

type Draft = DraftOf<typeof circuit>;

/** What devices of this version apply; of a device that does not, the circuit itself says so in the list. */
const applied = [specialLinksCapability];

function CircuitFields() {
  const t = useTexts(circuitMessages);
  const { groupid } = useDraftValues<Draft>();
  const cpes = useCall(cpeFindAllByGroup, groupid ? { groupid } : null, { keep: true });
  const pops = useCall(pop.ops.combo, {});
  const ends = [
    ...(cpes.data ?? []).map(({ id, alias }) => ({ value: id, label: alias })),
    ...(pops.data ?? []).map(({ id, name }) => ({ value: id, label: `POP ${name}` })),
  ];
  return (
    <>
      <FieldRow>
        <Field name="name" />
        <Field name="groupid" kind={EnterpriseControl} />
      </FieldRow>
      <FieldRow>
        <Field name="sourceId" kind="select" options={ends} help={t("circuit.endHelp")} />
        <Field name="targetId" kind="select" options={ends} />
      </FieldRow>
      <FieldRow>
        <Field name="bandwidth" kind={MegabitsControl} help={t("circuit.bandwidthHelp")} />
        <Field name="guaranteed" kind={MegabitsControl} help={t("circuit.guaranteedHelp")} />
      </FieldRow>
      <FieldRow help={t("circuit.qualityHelp")}>
        <Field
          name="lineQuality"
          kind="select"
          options={codeOptions(t, "lineQuality", lineQualities)}
        />
        <Field name="expireTime" kind="dateTime" />
      </FieldRow>
      <Field name="enable" label={t.code("enable", true)} />
      <Field name="remark" />
    </>
  );
}

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
export default resourcePage(
  circuit,
  ({ list }) => {
    const t = useTexts(circuitMessages);
    const session = useSession();
    const effect = useRuleEffectColumn({
      summary: circuitSummary,
      rows: list.rows,
      idOf: ({ id }: Row) => id,
      isOff: ({ status }) => status === 0 || status === 5,
    });
    return {
      title: t("circuit.title"),
      addLabel: t("circuit.add"),
      empty: t("circuit.empty"),
      nameOf: ({ name }) => name,
      columns: columnsOf(t, effect),
      filters: [
        { key: "name", kind: "text", label: t.field("name") },
        { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
      ],
      more: [
        { key: "all", label: t("circuit.reportAll"), to: paths.circuitReportAll() },
        {
          key: "enterprise",
          label: t("circuit.reportEnterprise"),
          to: paths.circuitReportEnterprise(list.filters.groupid),
        },
      ],
      form: {
        initial: {
          groupid: list.filters.groupid ?? session.groupid,
          name: "",
          bandwidth: 10_000,
          guaranteed: null,
          lineQuality: 0 as const,
          enable: true,
          expireTime: null,
          remark: "",
        },
        body: () => (
          <CapabilitiesProvider capabilities={applied}>
            <CircuitFields />
          </CapabilitiesProvider>
        ),
        editTitle: ({ name }) => t("circuit.edit", { name }),
      },
      actions: (row, { edit, remove }) => [
        { key: "report", label: t("circuit.report"), to: paths.circuitReport(row.id) },
        edit,
        remove,
      ],
      removal: {
        title: ({ name }) => t("circuit.removeTitle", { name }),
        body: () => t("circuit.removeBody"),
      },
    };
  },
  () => ({ every: refreshEvery }),
);
