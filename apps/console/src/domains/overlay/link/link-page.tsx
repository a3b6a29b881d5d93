import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { linkAdd, linkEdit, linkList, linkRemove } from "@weft/contract/domains/overlay/link.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import { useState } from "react";
import { useOpened } from "#client/opened.ts";
import { paths } from "#client/paths.ts";
import { useCall } from "#client/use-call.ts";
import { linkColumns } from "#domains/devices/parts/node/link-columns.tsx";
import type { LinkRow } from "#domains/devices/parts/node/link-end.ts";
import { spaceColumn } from "#domains/devices/parts/node/link-metrics.tsx";
import { useConfirm } from "#feedback/confirm.tsx";
import { useAction } from "#feedback/use-action.ts";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { Field, FieldRow } from "#kernel/form/field.tsx";
import { type Column, numberColumn, textColumn } from "#kernel/list/columns.tsx";
import type { FilterSpec } from "#kernel/list/filter-bar.tsx";
import { ListPage } from "#kernel/list/list-page.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { useList } from "#kernel/list/use-list.ts";
import { CallDialog } from "#parts/call-dialog.tsx";
import { LinkCounts, linksEvery } from "./link-counts.tsx";
import { useLinkFilters } from "./link-filters.ts";
import { type LinkTexts, useLinkTexts } from "./messages.ts";

/** What changes with a link: lists, pictures, and the states of the devices at its ends. */
const linkTouches = ["link", "netSpace", "top", "nodeState", "task"];

interface Props {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** A link between two lines that the space would not make by itself. */
function LinkAddDialog({ open, netSpaceId, onClose }: Props & { netSpaceId: number | null }) {
  const t = useLinkTexts();
  return (
    <CallDialog
      endpoint={linkAdd}
      open={open}
      width={640}
      title={t("links.add")}
      initial={{
        ...(netSpaceId !== null && { netSpaceId }),
        enable: true,
        preference: null,
        remark: "",
      }}
      ok={t("act.add")}
      touches={linkTouches}
      onClose={onClose}
    >
      <Ends />
      <SettingsFields />
    </CallDialog>
  );
}

function Ends() {
  const t = useLinkTexts();
  const { netSpaceId, sourceId, targetId } = useDraftValues<InputOf<typeof linkAdd>>();
  const spaces = useCall(netSpace.ops.list, {
    name: null,
    groupid: null,
    page: 1,
    limit: 1_000,
    orderByColumn: "name",
    isAsc: "asc",
  });
  const cpes = useCall(cpe.ops.combo, {});
  const pops = useCall(pop.ops.combo, {});
  const space = spaces.data?.find(({ id }) => id === netSpaceId);
  const nodes = [...(pops.data ?? []), ...(cpes.data ?? [])]
    .filter(({ id }) => space?.popIds.includes(id) || space?.cpeIds.includes(id))
    .map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <Field
        name="netSpaceId"
        kind="select"
        options={(spaces.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      />
      <FieldRow>
        <Field name="sourceId" kind="select" options={nodes} help={t("links.endHelp")} />
        <Field name="sourceSlot" kind="select" options={useLines(sourceId)} />
      </FieldRow>
      <FieldRow>
        <Field name="targetId" kind="select" options={nodes} />
        <Field name="targetSlot" kind="select" options={useLines(targetId)} />
      </FieldRow>
    </>
  );
}

/** Lines of a node to choose from; none while no node is selected. */
function useLines(nodeId: number | undefined) {
  const input = nodeId ? { nodeId, page: 1, limit: 10, orderByColumn: "slot", isAsc: "asc" } : null;
  const { data } = useCall(line.ops.list, input as InputOf<typeof line.ops.list> | null);
  return (data ?? []).map(({ slot, name }) => ({ value: slot, label: `wan${slot} ${name}` }));
}

function SettingsFields() {
  const t = useLinkTexts();
  return (
    <>
      <Field name="preference" help={t("links.preferenceHelp")} />
      <Field name="enable" label={t("links.enable")} help={t("links.enableHelp")} />
      <Field name="remark" />
    </>
  );
}

/** Prefers or closes a link; its ends stay what they are. */
function LinkEditDialog({ row, open, onClose }: Props & { readonly row: LinkRow }) {
  const t = useLinkTexts();
  const { id, enable, preference, remark } = row;
  return (
    <CallDialog
      endpoint={linkEdit}
      open={open}
      title={t("links.edit", { name: row.name })}
      initial={{ id, enable, preference, remark }}
      ok={t("act.save")}
      touches={linkTouches}
      onClose={onClose}
    >
      <SettingsFields />
    </CallDialog>
  );
}

/** An operator set something of this link that can be undone. */
const hasSetting = (row: LinkRow): boolean =>
  row.made || !row.enable || row.preference !== null || row.remark !== "";

const reasonOf = (row: LinkRow, t: LinkTexts): string | null =>
  hasSetting(row) ? null : t("links.automatic");

/** What can be done with a link: look at its report, prefer or close it, and take that back. */
function useLinkActions(open: (what: string, id: number) => void): (row: LinkRow) => RowAction[] {
  const t = useLinkTexts();
  const confirm = useConfirm();
  const { act } = useAction(linkRemove, { touches: linkTouches });
  const remove = async (row: LinkRow): Promise<void> => {
    const { name } = row;
    const isMeant = await confirm({
      title: t(row.made ? "links.removeTitle" : "links.resetTitle", { name }),
      body: t(row.made ? "links.removeBody" : "links.resetBody"),
      ok: t(row.made ? "act.remove" : "links.reset"),
      danger: row.made,
    });
    if (isMeant) await act({ ids: [row.id] });
  };
  return (row) => [
    { key: "report", label: t("links.report"), to: paths.linkReport(row.id) },
    { key: "edit", label: t("act.edit"), run: () => open("edit", row.id) },
    {
      key: "remove",
      label: t(row.made ? "act.remove" : "links.reset"),
      danger: row.made,
      disabledReason: reasonOf(row, t),
      run: () => void remove(row),
    },
  ];
}

const byName = { worst: null };

/** All links with what was last measured on them; those that are down come first. */
export default function LinkPage() {
  const t = useLinkTexts();
  const list = useList(linkList, { every: linksEvery, fixed: byName });
  const { opened, open, close } = useOpened();
  const row = useOpenedRow(list.rows, opened?.id ?? null);
  const filters = useLinkFilters();
  return (
    <ListPage
      title={t("links.title")}
      list={list}
      rowKey="id"
      columns={[...linkColumns(t), spaceColumn(t), ...plainColumns(t)]}
      actions={useLinkActions(open)}
      add={{ label: t("links.add"), run: () => open("add") }}
      filters={[...filters, ...useNodeFilter(list.filters.nodeId, t("links.node"))]}
      summary={<LinkCounts list={list} />}
      empty={{
        text: t("links.empty"),
        action: { label: t("links.toSpaces"), to: paths.netSpace() },
      }}
    >
      <LinkAddDialog
        open={opened?.what === "add"}
        netSpaceId={list.filters.netSpaceId}
        onClose={close}
      />
      {row && <LinkEditDialog row={row} open={opened?.what === "edit"} onClose={close} />}
    </ListPage>
  );
}

/**
 * The row that is being edited. A new link gets another id and another place
 * in the list once it is established: the open form stays open.
 */
function useOpenedRow(rows: readonly LinkRow[], id: number | null): LinkRow | null {
  const [last, setLast] = useState<LinkRow | null>(null);
  const row = rows.find((row) => row.id === id) ?? null;
  if (row && row !== last) setLast(row);
  return row ?? (last?.id === id ? last : null);
}

/** What an operator set of a link. */
const plainColumns = (t: LinkTexts): Column<LinkRow>[] => [
  textColumn(
    "made",
    t("links.origin"),
    (row: LinkRow) => t(row.made ? "links.origin.made" : "links.origin.auto"),
    { width: 96 },
  ),
  numberColumn("preference", t("links.preference"), (row: LinkRow) => row.preference, {
    missing: t("links.bySlot"),
  }),
  textColumn("remark", t.field("remark"), (row: LinkRow) => row.remark || null, {
    optional: true,
  }),
];

/** Only while an address asks for one node: its name is among the filters, to be cleared. */
function useNodeFilter(nodeId: number | null, label: string): FilterSpec[] {
  const isOn = nodeId !== null;
  const cpes = useCall(cpe.ops.combo, isOn ? {} : null);
  const pops = useCall(pop.ops.combo, isOn ? {} : null);
  if (!isOn) return [];
  const nodes = [...(pops.data ?? []), ...(cpes.data ?? [])];
  const options = nodes.map(({ id, name }) => ({ value: id, label: name }));
  return [{ key: "nodeId", kind: "select", label, options }];
}
