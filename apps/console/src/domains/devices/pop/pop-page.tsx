import { type HealthTone, healthTones } from "@weft/contract/domains/devices/health.ts";
import { pop, popFindById } from "@weft/contract/domains/devices/pop.ts";
import { useOpened } from "#client/opened.ts";
import { paths } from "#client/paths.ts";
import { useMay, useSession } from "#client/session.tsx";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { ClaimDialog } from "#domains/devices/parts/node/claim-dialog.tsx";
import { keyFilter } from "#domains/devices/parts/node/key-filter.ts";
import { NodeCounts } from "#domains/devices/parts/node/node-counts.tsx";
import { useWorstFirst } from "#domains/devices/parts/node/worst-first.ts";
import { EnterpriseFilter } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { useRemove } from "#feedback/use-remove.ts";
import { ListPage } from "#kernel/list/list-page.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { type List, useResourceList } from "#kernel/list/use-list.ts";
import { popColumns } from "./pop-columns.tsx";
import { PopForm } from "./pop-form.tsx";
import { PopTabs, usePopTab } from "./pop-tabs.tsx";
import { type PopRow, type PopTexts, usePopTexts } from "./pop-texts.ts";
import { GroupPage, StrategyPage } from "./strategy-page.tsx";

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
