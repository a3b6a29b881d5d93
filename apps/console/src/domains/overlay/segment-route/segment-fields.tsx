import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { useTexts } from "#client/texts.ts";
import { PopOrder } from "#domains/devices/parts/node/pop-order.tsx";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { Field, type FieldControl, FieldRow } from "#kernel/form/field.tsx";
import { segmentMessages } from "./messages.ts";

/** Fields of a segment route, of a new one and of one that is there. */
export function SegmentFields() {
  const t = useTexts(segmentMessages);
  return (
    <>
      <FieldRow>
        <Field name="name" />
        <Field name="groupid" kind={EnterpriseControl} />
      </FieldRow>
      <FieldRow>
        <Field
          name="cpeId"
          kind="combo"
          label={t("segment.from")}
          endpoint={cpe.ops.combo}
          placeholder={t("segment.any")}
        />
        <Field name="destination" kind="mono" placeholder="10.200.0.0/16" />
      </FieldRow>
      <Field name="popIds" label={t("segment.hops")} help={t("segment.hopsHelp")}>
        {(control) => <PopOrder control={control as FieldControl<readonly number[]>} />}
      </Field>
      <Field name="metric" help={t("segment.metricHelp")} />
      <Field name="enable" label={t.code("enable", true)} />
      <Field name="remark" />
    </>
  );
}
