import { pop } from "@weft/contract/domains/devices/pop.ts";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { CapabilitiesProvider } from "#feedback/device-capabilities.tsx";
import { Field, FieldGroup, FieldRow } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { MegabitsControl } from "#parts/fields/megabits-control.tsx";
import { type PopDraft, type PopRow, usePopTexts } from "./pop-texts.ts";

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
export function PopForm({ open, row, groupid, onClose, onSaved }: Props) {
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
