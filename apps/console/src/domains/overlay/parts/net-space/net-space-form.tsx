import { netSpace, netSpaceCandidates } from "@weft/contract/domains/overlay/net-space.ts";
import { useCall } from "#client/use-call.ts";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { Failed, Loading } from "#feedback/empty-state.tsx";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { Field, FieldRow } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { MemberPicker } from "./member-picker.tsx";
import { type SpaceDraft, type SpaceRow, useSpaceTexts } from "./net-space-texts.ts";
import { TopologyChoice } from "./topology-choice.tsx";

interface Props {
  readonly open: boolean;
  /** null: a new one. */
  readonly row: SpaceRow | null;
  readonly groupid: number | null;
  readonly onClose: () => void;
}

const newSpace = (groupid: number | null): Partial<SpaceDraft> => ({
  name: "",
  ...(groupid !== null && { groupid }),
  topology: 0,
  popIds: [],
  cpeIds: [],
  remark: "",
});

/** The one form of a space: whose, which shape, which nodes. */
export function NetSpaceForm({ open, row, groupid, onClose }: Props) {
  const t = useSpaceTexts();
  return (
    <ResourceForm
      resource={netSpace}
      open={open}
      row={row}
      title={row ? t("space.editOf", { name: row.name }) : t("space.add")}
      initial={newSpace(groupid)}
      width={720}
      saved={t("space.saved")}
      touches={["link", "cpe", "pop", "nodeState"]}
      onClose={onClose}
    >
      <FieldRow>
        <Field name="name" />
        <Field
          name="groupid"
          kind={EnterpriseControl}
          help={t("space.groupidHelp")}
          disabled={row !== null && t("space.groupFixed")}
        />
      </FieldRow>
      <Field name="topology">
        {(control) => <TopologyChoice value={control.value as number} onChange={control.set} />}
      </Field>
      <Members netSpaceId={row?.id ?? null} />
      <Field name="remark" />
    </ResourceForm>
  );
}

/** Which nodes may be taken depends on the enterprise. */
function Members({ netSpaceId }: { readonly netSpaceId: number | null }) {
  const t = useSpaceTexts();
  const { groupid, popIds = [], cpeIds = [] } = useDraftValues<Partial<SpaceDraft>>();
  const result = useCall(netSpaceCandidates, groupid ? { groupid, netSpaceId } : null);
  if (!groupid) return <p className="w-quiet">{t("space.pickGroup")}</p>;
  if (result.error && !result.data) return <Failed error={result.error} retry={result.refetch} />;
  if (!result.data) return <Loading rows={4} />;
  const { pops, cpes } = result.data;
  return (
    <>
      <FieldRow key={groupid}>
        <Field name="popIds" label="">
          {(control) => (
            <MemberPicker
              label={t("space.pops")}
              candidates={pops.map((pop) => ({ ...pop, taken: null }))}
              value={control.value as number[]}
              onChange={control.set}
              empty={t("space.noPops")}
            />
          )}
        </Field>
        <Field name="cpeIds" label="">
          {(control) => (
            <MemberPicker
              label={t("space.cpes")}
              candidates={cpes}
              value={control.value as number[]}
              onChange={control.set}
              empty={t("space.noCpes")}
            />
          )}
        </Field>
      </FieldRow>
      <p className="w-quiet">{t("space.planned", { pops: popIds.length, cpes: cpeIds.length })}</p>
    </>
  );
}
