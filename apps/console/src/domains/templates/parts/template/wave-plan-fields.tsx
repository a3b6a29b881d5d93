import { routerTemplateCpes } from "@weft/contract/domains/templates/router-template.ts";
import { isWaveSize, waveCounts } from "@weft/contract/domains/templates/wave-plan.ts";
import Input from "antd/es/input/Input";
import { useState } from "react";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { Field, FieldGroup, FieldRow } from "#kernel/form/field.tsx";
import type { ControlProps } from "#kernel/form/field-props.ts";
import { waveMessages } from "./wave-messages.ts";

const sizesIn = (text: string): string[] =>
  text
    .split(/[,，\s]+/)
    .map((one) => one.trim())
    .filter((one) => one !== "");

/** Sizes of waves as one line: "1, 10%". */
function WaveSizes({ control }: ControlProps) {
  const [text, setText] = useState(() => (control.value as readonly string[]).join(", "));
  return (
    <Input
      id={control.id}
      value={text}
      autoComplete="off"
      aria-describedby={control.describedBy}
      aria-invalid={control.isWrong}
      {...(control.isWrong && { status: "error" as const })}
      onBlur={control.leave}
      onChange={(event) => {
        setText(event.target.value);
        control.set(sizesIn(event.target.value));
      }}
    />
  );
}

/** How many CPEs each wave of a template has, as far as the sizes are valid. */
function Counts({ templateId }: { readonly templateId: number }) {
  const t = useTexts(waveMessages);
  const { waves } = useDraftValues<{ waves: readonly string[] }>();
  const { data } = useCall(routerTemplateCpes, { templateId, alias: null });
  if (!data || data.length === 0 || waves.length === 0 || !waves.every(isWaveSize)) return null;
  const counts = waveCounts(waves, data.length);
  return (
    <strong aria-live="polite">
      {t("wave.counts", { waves: counts.length, counts: counts.join(" + ") })}
    </strong>
  );
}

/** The plan of a rollout: sizes of its waves, times, and what counts as a failure. */
export function WavePlanFields({ templateIds }: { readonly templateIds: readonly number[] }) {
  const t = useTexts(waveMessages);
  const [templateId, ...others] = templateIds;
  return (
    <>
      <Field
        name="waves"
        kind={WaveSizes}
        label={t("wave.sizes")}
        help={
          <>
            {t("wave.sizesHelp")}{" "}
            {templateId !== undefined && others.length === 0 && <Counts templateId={templateId} />}
          </>
        }
      />
      <FieldRow>
        <Field
          name="soak"
          kind="number"
          label={t("wave.soak")}
          unit={t("wave.seconds")}
          help={t("wave.soakHelp")}
        />
        <Field
          name="grace"
          kind="number"
          label={t("wave.grace")}
          unit={t("wave.seconds")}
          help={t("wave.graceHelp")}
        />
      </FieldRow>
      <FieldGroup title={t("wave.gates")}>
        <Field name="contactGate" kind="switch" label={t("wave.contactGate")} />
        <Field name="linkGate" kind="switch" label={t("wave.linkGate")} />
        <Field name="findingGate" kind="switch" label={t("wave.findingGate")} />
        <Field
          name="lossLimit"
          kind="number"
          label={t("wave.lossLimit")}
          unit={t("wave.points")}
          help={t("wave.lossHelp")}
        />
        <p className="w-quiet">{t("wave.taskHelp")}</p>
      </FieldGroup>
      <Field name="askEach" kind="switch" label={t("wave.askEach")} />
    </>
  );
}
