import { cpe, cpeFindById } from "@weft/contract/domains/devices/cpe.ts";
import { cpeAreaTree } from "@weft/contract/domains/devices/cpe-area.ts";
import { type HealthTone, healthTones } from "@weft/contract/domains/devices/health.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { consoleNumbers } from "@weft/contract/domains/monitoring/console-numbers.ts";
import { useOpened } from "#client/opened.ts";
import { paths } from "#client/paths.ts";
import { useMay, useSession } from "#client/session.tsx";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { ClaimDialog } from "#domains/devices/parts/node/claim-opener.tsx";
import { keyFilter } from "#domains/devices/parts/node/key-filter.ts";
import { mockedEnterprises } from "#domains/devices/parts/node/mock-online.ts";
import { NodeCounts } from "#domains/devices/parts/node/node-counts.tsx";
import { useWorstFirst } from "#domains/devices/parts/node/worst-first.ts";
import { EnterpriseFilter } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import {
  filtersBeside,
  fixedTo,
  type OfEnterprise,
} from "#domains/enterprises/parts/enterprise/of-enterprise.tsx";
import type { NextStep } from "#feedback/empty-state.tsx";
import { later, OpenedLater } from "#feedback/later.tsx";
import { useRemove } from "#feedback/use-remove.ts";
import type { FilterSpec } from "#kernel/list/filter-bar.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { type List, useResourceList } from "#kernel/list/use-list.ts";
import { useSelection } from "#kernel/list/use-selection.ts";
import { targetOf } from "#parts/batch/target.ts";
import { areaTree } from "./area-tree.ts";
import { useCpeBatch } from "./cpe-batch.tsx";
import { cpeColumns } from "./cpe-columns.tsx";
import { type CpeRow, type CpeTexts, useCpeTexts } from "./cpe-texts.ts";

// The list does not wait for what opens over it.
const AreaDrawer = later(async () => (await import("./area-drawer.tsx")).AreaDrawer);
const FirmwareDrawer = later(async () => (await import("./firmware-drawer.tsx")).FirmwareDrawer);
const CpeForm = later(async () => (await import("./cpe-form.tsx")).CpeForm);

type CpeList = List<
  CpeRow,
  {
    alias: string;
    groupid: number;
    linkStatus: number;
    key: string;
    areaId: number;
    tone: HealthTone;
  }
>;

/** What goes out to files, and comes in from them, for all CPEs at once. */
const cpeParts = [line, lanSection, staticRoute] as const;

/** Devices at customers' sites, the worst first (section 2.3). */
export function CpeListPage({ groupid: fixed }: OfEnterprise) {
  const t = useCpeTexts();
  const mocked = mockedEnterprises(useSession());
  const list = useResourceList(cpe, {
    every: refreshEvery,
    fixed: { ...useWorstFirst(), ...fixedTo(fixed) },
  });
  const groupid = fixed ?? list.filters.groupid;
  const areaFilter = useAreaFilter(t, list.filters.groupid);
  const { opened, open, close } = useOpened();
  const actions = useCpeActions(t, open);
  const selection = useSelection<CpeRow>("id", list);
  const { actions: batch, dialogs } = useCpeBatch({
    target: targetOf(selection, list),
    rows: selection.rows,
    groupid,
    clear: selection.clear,
  });
  const openedCpe = useOpenedCpe(list.rows, opened?.id ?? null);
  const row = openedCpe ?? null;
  const isEditing = opened?.what === "edit" && row !== null;
  const add = { label: t("cpe.add"), may: "cpeAdd" as const, run: () => open("add") };
  const may = useMay();
  // Without actions on them rows cannot be selected.
  const hasBatch = batch.some((action) => may(action.may ?? null));
  const empty = useFirstRun(t, add);
  // With nothing there yet, the one button is where the rows would be.
  const isBare = list.count === 0 && list.activeFilters === 0;
  return (
    <ListPage
      title={t("cpe.title")}
      list={list}
      openedRow={openedCpe}
      rowKey="id"
      columns={cpeColumns(t, mocked)}
      parts={cpeParts}
      filters={filtersBeside(fixed, [...filtersOf(t, list.filters.key), ...areaFilter])}
      more={[
        { key: "areas", label: t("area.manage"), run: () => open("areas") },
        {
          key: "firmware",
          label: t("firmware.manage"),
          may: "cpeBatch",
          run: () => open("firmware"),
        },
      ]}
      {...((!isBare || empty.action !== add) && { add })}
      summary={<CpeCounts list={list} groupid={groupid} />}
      actions={actions}
      {...(hasBatch && { selection, batch: () => batch, canTakeAll: true })}
      empty={empty}
    >
      <OpenedLater open={opened?.what === "add" || isEditing} onClose={close}>
        <CpeForm
          open={opened?.what === "add" || isEditing}
          row={isEditing ? row : null}
          groupid={groupid}
          onClose={close}
          // A new CPE is of no use before its device has a claim: that is the next step.
          onSaved={(id) => (isEditing ? close() : open("claim", id))}
        />
      </OpenedLater>
      {dialogs}
      <OpenedLater open={opened?.what === "areas"} onClose={close}>
        {opened?.what === "areas" && (
          <AreaDrawer
            groupid={groupid}
            onShow={(id) => {
              close();
              list.setFilter("areaId", id);
            }}
            onClose={close}
          />
        )}
      </OpenedLater>
      <OpenedLater open={opened?.what === "firmware"} onClose={close}>
        {opened?.what === "firmware" && <FirmwareDrawer groupid={groupid} onClose={close} />}
      </OpenedLater>
      <ClaimDialog
        node={opened?.what === "claim" && row ? { ...row, kind: "cpe", name: row.alias } : null}
        onClose={close}
      />
    </ListPage>
  );
}

const filtersOf = (t: CpeTexts, key: string | null | undefined): FilterSpec[] => [
  { key: "alias", kind: "text", label: t("cpe.search") },
  {
    key: "tone",
    kind: "select",
    label: t("node.tones"),
    options: healthTones.map((value) => ({ value, label: t(`node.tones.${value}`) })),
  },
  { key: "groupid", kind: EnterpriseFilter, label: t.field("groupid") },
  keyFilter(t, key),
];

/** Which area is shown, once there are any. */
function useAreaFilter(t: CpeTexts, groupid: number | null): FilterSpec[] {
  const { data = [] } = useCall(cpeAreaTree, { groupid });
  const options = areaTree(data).map(({ id, path }) => ({ value: id, label: path }));
  if (options.length === 0) return [];
  return [{ key: "areaId", kind: "select", label: t.field("areaId"), options }];
}

/**
 * The row of a drawer or dialog, asked for by itself when it is not on this page of the list. null: there is none;
 * undefined: none is asked for, or it is not known yet.
 */
function useOpenedCpe(rows: readonly CpeRow[], id: number | null): CpeRow | null | undefined {
  const listed = rows.find((row) => row.id === id) ?? null;
  const result = useCall(cpeFindById, id === null || listed ? null : { id });
  if (listed || id === null) return listed ?? undefined;
  return result.data ?? (result.error ? null : undefined);
}

function useCpeActions(t: CpeTexts, open: (what: string, id?: number) => void) {
  const remove = useRemove(cpe, {
    title: ([row]) => t("cpe.removeTitle", { name: row.alias }),
    body: ([row]) =>
      `${t("cpe.removeBody", { name: row.alias })} ${t(row.linkStatus === 1 ? "node.removedOnline" : "node.removedOffline")}`,
    touches: ["enterprise", "nodeHealth"],
  });
  return (row: CpeRow): RowAction[] => [
    {
      key: "configure",
      label: t("node.configure"),
      may: "cpeConfig",
      to: paths.cpeSet(row.id),
    },
    {
      key: "claim",
      label: t("node.claim"),
      may: "cpeActive",
      run: () => open("claim", row.id),
    },
    { key: "edit", label: t("node.edit"), may: "cpeEdit", run: () => open("edit", row.id) },
    {
      key: "remove",
      label: t("node.remove"),
      may: "cpeRemove",
      danger: true,
      run: () => void remove([row]),
    },
  ];
}

interface CountsProps {
  readonly list: CpeList;
  readonly groupid: number | null;
}

function CpeCounts({ list, groupid }: CountsProps) {
  const { alias: name, linkStatus, key, areaId, tone } = list.filters;
  return (
    <NodeCounts
      kind="cpe"
      filters={{ name, groupid, linkStatus, key, areaId }}
      picked={tone}
      onPick={(picked) => list.setFilter("tone", picked)}
    />
  );
}

/** The way of a new installation: POP, enterprise, CPE, space. */
function useFirstRun(t: CpeTexts, add: NextStep): { text: string; action?: NextStep } {
  const may = useMay();
  const numbers = useCall(consoleNumbers, {});
  if (numbers.data?.pop === 0 && may("popAdd")) {
    return { text: t("cpe.emptyNoPop"), action: { label: t("cpe.toPop"), to: paths.pop() } };
  }
  // The caller's own enterprise is always there.
  if ((numbers.data?.enterprise ?? 2) < 2 && may("enterpriseAdd")) {
    const action = { label: t("cpe.toEnterprise"), to: paths.enterprise() };
    return { text: t("cpe.emptyNoEnterprise"), action };
  }
  return { text: t("cpe.empty"), ...(may("cpeAdd") && { action: add }) };
}
