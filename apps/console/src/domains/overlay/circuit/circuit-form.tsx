import { specialLinksCapability } from "@weft/contract/device/v1/path-classes.ts";
import { cpeFindAllByGroup } from "@weft/contract/domains/devices/cpe-actions.ts";
import { lineQualities } from "@weft/contract/domains/devices/enums.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { circuit } from "@weft/contract/domains/overlay/circuit.ts";
import type { DraftOf, RowOf } from "@weft/contract/kernel/resource.ts";
import { useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { CapabilitiesProvider } from "#feedback/device-capabilities.tsx";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { codeOptions, Field, FieldRow } from "#kernel/form/field.tsx";
import { ResourceForm } from "#kernel/form/resource-form.tsx";
import { MegabitsControl } from "#parts/fields/megabits-control.tsx";
import { circuitMessages } from "./messages.ts";

type Draft = DraftOf<typeof circuit>;

/** What devices of this version apply; of a device that does not, the circuit itself says so in the list. */
const applied = [specialLinksCapability];

interface Props {
  readonly open: boolean;
  /** null: a new one. */
  readonly row: RowOf<typeof circuit> | null;
  readonly groupid: number | null;
  readonly onClose: () => void;
}

export function CircuitForm({ open, row, groupid, onClose }: Props) {
  const t = useTexts(circuitMessages);
  const session = useSession();
  return (
    <ResourceForm
      resource={circuit}
      open={open}
      row={row}
      title={row === null ? t("circuit.add") : t("circuit.edit", { name: row.name })}
      initial={{
        groupid: groupid ?? session.groupid,
        name: "",
        bandwidth: 10_000,
        guaranteed: null,
        lineQuality: 0,
        enable: true,
        expireTime: null,
        remark: "",
      }}
      onClose={onClose}
    >
      <CapabilitiesProvider capabilities={applied}>
        <CircuitFields />
      </CapabilitiesProvider>
    </ResourceForm>
  );
}

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
