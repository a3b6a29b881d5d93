import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { xModes } from "@weft/contract/domains/devices/enums.ts";
import { codeOptions } from "#client/texts.ts";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { Field, FieldGroup, FieldRow } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { timeZones } from "#parts/fields/time-zones.ts";
import { type CpeDraft, type CpeRow, useCpeTexts } from "./cpe-texts.ts";

interface Props {
  readonly open: boolean;
  /** null: a new one. */
  readonly row: CpeRow | null;
  /** Enterprise that the list is filtered by: the likely owner of a new one. */
  readonly groupid: number | null;
  readonly onClose: () => void;
  readonly onSaved: (id: number) => void;
}

/** An enterprise has to be selected: 0 is none, and the rule of the field says so. */
const newCpe = (groupid: number | null): Partial<CpeDraft> => ({
  alias: "",
  ...(groupid !== null && { groupid }),
  sn: "",
  enable: true,
  xMode: 0,
  longitude: null,
  latitude: null,
  expireTime: null,
  timezone: null,
  remark: "",
});

/** The one form of a CPE, for adding and editing. */
export function CpeForm({ open, row, groupid, onClose, onSaved }: Props) {
  const t = useCpeTexts();
  const modes = codeOptions(t, "xMode", xModes).map((option) => ({
    ...option,
    help: t(`cpe.xMode.${option.value as 0 | 1 | 2}.help`),
  }));
  return (
    <ResourceForm
      resource={cpe}
      open={open}
      row={row}
      title={row ? t("cpe.editOf", { name: row.alias }) : t("cpe.add")}
      initial={newCpe(groupid)}
      touches={["nodeState", "netSpace", "link", "enterprise"]}
      onClose={onClose}
      onSaved={onSaved}
    >
      <FieldRow>
        <Field name="alias" />
        <Field name="groupid" kind={EnterpriseControl} />
      </FieldRow>
      <Field name="sn" kind="mono" help={t("cpe.snHelp")} />
      <Field name="xMode" kind="radio" options={modes} />
      <Field name="enable" label={t.code("enable", true)} help={t("cpe.enableHelp")} />
      <FieldGroup title={t("cpe.place")}>
        <FieldRow>
          <Field name="longitude" />
          <Field name="latitude" />
        </FieldRow>
      </FieldGroup>
      <Field
        name="timezone"
        kind="select"
        options={timeZones(row?.timezone)}
        placeholder={t("cpe.zoneOfEnterprise")}
        help={t("cpe.zoneHelp")}
      />
      <Field name="expireTime" />
      <Field name="remark" />
    </ResourceForm>
  );
}
