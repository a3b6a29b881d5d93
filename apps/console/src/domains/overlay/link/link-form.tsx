import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { linkAdd, linkEdit } from "@weft/contract/domains/overlay/link.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import { useCall } from "#client/use-call.ts";
import type { LinkRow } from "#domains/devices/parts/node/link-end.ts";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { Field, FieldRow } from "#kernel/form/field.tsx";
import { CallDialog } from "#parts/call-dialog.tsx";
import { useLinkTexts } from "./link-texts.ts";

/** What changes with a link: lists, pictures, and the states of the devices at its ends. */
export const linkTouches = ["link", "netSpace", "top", "nodeState", "task"];

interface Props {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** A link between two lines that the space would not make by itself. */
export function LinkAddDialog({
  open,
  netSpaceId,
  onClose,
}: Props & { netSpaceId: number | null }) {
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
export function LinkEditDialog({ row, open, onClose }: Props & { readonly row: LinkRow }) {
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
