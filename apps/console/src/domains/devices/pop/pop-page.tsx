import { type HealthTone, healthTones } from "@weft/contract/domains/devices/health.ts";
import { pop, popFindById } from "@weft/contract/domains/devices/pop.ts";
import { addressOf } from "@weft/contract/rules/address.ts";
import { useOpened } from "#client/opened.ts";
import { paths } from "#client/paths.ts";
import { useMay, useSession } from "#client/session.tsx";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { ClaimDialog } from "#domains/devices/parts/node/claim-opener.tsx";
import { keyFilter } from "#domains/devices/parts/node/key-filter.ts";
import { healthColumn, loopColumns } from "#domains/devices/parts/node/node-columns.tsx";
import { NodeCounts } from "#domains/devices/parts/node/node-counts.tsx";
import { useWorstFirst } from "#domains/devices/parts/node/worst-first.ts";
import {
  EnterpriseControl,
  EnterpriseFilter,
} from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { enterpriseColumn } from "#domains/enterprises/parts/enterprise/of-enterprise.tsx";
import { CapabilitiesProvider } from "#feedback/device-capabilities.tsx";
import { useRemove } from "#feedback/use-remove.ts";
import { Field, FieldGroup, FieldRow } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import {
  type Column,
  copyColumn,
  nameColumn,
  numberColumn,
  textColumn,
  timeColumn,
} from "#kernel/list/columns.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { type List, useResourceList } from "#kernel/list/use-list.ts";
import { MegabitsControl } from "#parts/fields/megabits-control.tsx";
import { PopTabs, usePopTab } from "./pop-tabs.tsx";
import { type PopDraft, type PopRow, type PopTexts, usePopTexts } from "./pop-texts.ts";
import { GroupPage, StrategyPage } from "./strategy-page.tsx";

interface Props {
  readonly open: boolean;
  /** null: a new one. */
  readonly row: PopRow | null;
  /** Enterprise that owns a new one unless another is selected: the caller's own. */
  readonly groupid: number;
  readonly onClose: () => void;
  readonly onSaved: (id: number) => void;
}

const newPop = (groupid: number): PopDraft => ({
  name: "",
  groupid,
  sn: "",
  regions: "",
  longitude: null,
  latitude: null,
  bandwidth: null,
  expireTime: null,
  remark: "",
});

/** The one form of a POP, for adding and editing. */
function PopForm({ open, row, groupid, onClose, onSaved }: Props) {
  const t = usePopTexts();
  return (
    <ResourceForm
      resource={pop}
      open={open}
      row={row}
      title={row ? t("pop.editOf", { name: row.name }) : t("pop.add")}
      initial={newPop(groupid)}
      touches={["nodeState", "netSpace", "link"]}
      onClose={onClose}
      onSaved={onSaved}
    >
      <FieldRow>
        <Field name="name" />
        <Field name="groupid" kind={EnterpriseControl} help={t("pop.groupidHelp")} />
      </FieldRow>
      <Field name="sn" kind="mono" help={t("pop.snHelp")} />
      {/* Which device it will have is not known here. */}
      <CapabilitiesProvider capabilities={null}>
        <Field name="bandwidth" kind={MegabitsControl} />
      </CapabilitiesProvider>
      <FieldGroup title={t("pop.place")}>
        <Field name="regions" />
        <FieldRow>
          <Field name="longitude" />
          <Field name="latitude" />
        </FieldRow>
      </FieldGroup>
      <Field name="expireTime" />
      <Field name="remark" />
    </ResourceForm>
  );
}

/** Columns of the list: state first, then who it is, what it should run, what was measured. */
const popColumns = (t: PopTexts): Column<PopRow>[] => [
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

type PopList = List<
  PopRow,
  { name: string; groupid: number; linkStatus: number; key: string; tone: HealthTone }
>;

/** Hubs in data centres, and the strategies by which enterprises use them (section 2.3). */
export default function PopPage() {
  const tab = usePopTab();
  if (tab === "strategies") return <StrategyPage />;
  return tab === "groups" ? <GroupPage /> : <Pops />;
}

function Pops() {
  const t = usePopTexts();
  const { groupid } = useSession();
  const may = useMay();
  const list = useResourceList(pop, { every: refreshEvery, fixed: useWorstFirst() });
  const { opened, open, close } = useOpened();
  const actions = usePopActions(t, open);
  const row = useOpenedPop(list.rows, opened?.id ?? null);
  const isEditing = opened?.what === "edit" && row !== null;
  const add = { label: t("pop.add"), may: "popAdd" as const, run: () => open("add") };
  // With nothing there yet, the one button is where the rows would be.
  const isBare = list.count === 0 && list.activeFilters === 0;
  return (
    <ListPage
      title={t("pop.title")}
      list={list}
      rowKey="id"
      columns={popColumns(t)}
      filters={[
        { key: "name", kind: "text", label: t("pop.search") },
        {
          key: "tone",
          kind: "select",
          label: t("node.tones"),
          options: healthTones.map((value) => ({ value, label: t(`node.tones.${value}`) })),
        },
        { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
        keyFilter(t, list.filters.key),
      ]}
      {...(!isBare && { add })}
      summary={<PopCounts list={list} />}
      tabs={<PopTabs />}
      actions={actions}
      empty={{ text: t("pop.empty"), ...(may("popAdd") && { action: add }) }}
    >
      <PopForm
        open={opened?.what === "add" || isEditing}
        row={isEditing ? row : null}
        groupid={list.filters.groupid ?? groupid}
        onClose={close}
        // A new POP is of no use before its device has a claim: that is the next step.
        onSaved={(id) => (isEditing ? close() : open("claim", id))}
      />
      <ClaimDialog
        node={opened?.what === "claim" && row ? { ...row, kind: "pop" } : null}
        onClose={close}
      />
    </ListPage>
  );
}

/** The row of a drawer or dialog, asked for by itself when it is not on this page of the list. */
function useOpenedPop(rows: readonly PopRow[], id: number | null): PopRow | null {
  const listed = rows.find((row) => row.id === id) ?? null;
  const result = useCall(popFindById, id === null || listed ? null : { id });
  return listed ?? (id === null ? null : (result.data ?? null));
}

function usePopActions(t: PopTexts, open: (what: string, id?: number) => void) {
  const remove = useRemove(pop, {
    title: ([row]) => t("pop.removeTitle", { name: row.name }),
    body: ([row]) =>
      `${t("pop.removeBody", { name: row.name })} ${t(row.linkStatus === 1 ? "node.removedOnline" : "node.removedOffline")}`,
    // A POP that is alive is typed by name: it may be about to serve.
    typed: ([row]) => (row.linkStatus === 1 ? row.name : null),
    touches: ["nodeHealth"],
  });
  return (row: PopRow): RowAction[] => [
    {
      key: "configure",
      label: t("node.configure"),
      may: "popConfig",
      to: paths.popSet(row.id),
    },
    {
      key: "claim",
      label: t("node.claim"),
      may: "cpeActive",
      run: () => open("claim", row.id),
    },
    { key: "edit", label: t("node.edit"), may: "popEdit", run: () => open("edit", row.id) },
    {
      key: "remove",
      label: t("node.remove"),
      may: "popRemove",
      danger: true,
      run: () => void remove([row]),
    },
  ];
}

function PopCounts({ list }: { readonly list: PopList }) {
  const { name, groupid, linkStatus, key, tone } = list.filters;
  return (
    <NodeCounts
      kind="pop"
      filters={{ name, groupid, linkStatus, key, areaId: null }}
      picked={tone}
      onPick={(picked) => list.setFilter("tone", picked)}
    />
  );
}
