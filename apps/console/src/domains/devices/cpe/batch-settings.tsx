import { cpeBatchConfig } from "@weft/contract/domains/devices/cpe-batch.ts";
import { type CpeItem, cpeItems } from "@weft/contract/domains/devices/cpe-config.ts";
import { xModes } from "@weft/contract/domains/devices/enums.ts";
import Select from "antd/es/select";
import { codeOptions } from "#client/texts.ts";
import { CapabilitiesProvider } from "#feedback/device-capabilities.tsx";
import { Field, type FieldControl, FieldRow } from "#kernel/form/field.tsx";
import { CallDialog } from "#parts/call-dialog.tsx";
import type { BatchFormProps } from "./batch-dialogs.tsx";
import { useSiteTexts } from "./site-texts.ts";

const untouched = Object.fromEntries(Object.keys(cpeItems).map((name) => [name, null])) as Record<
  CpeItem,
  null
>;

/** The same settings for selected CPEs: what is left empty stays as each of them has it. */
export function BatchSettings({ target, onStarted, onClose }: BatchFormProps) {
  const t = useSiteTexts();
  return (
    <CallDialog
      endpoint={cpeBatchConfig}
      open
      width={560}
      title={t("batch.settingsOf", { count: target.count })}
      initial={{ ...target.input, ...untouched }}
      ok={t("system.save")}
      touches={[]}
      onAnswer={onStarted}
      onClose={onClose}
    >
      <p className="w-quiet">{t("batch.settingsHelp")}</p>
      <Field
        name="xMode"
        kind="select"
        options={codeOptions(t, "xMode", xModes)}
        placeholder={t("batch.keep")}
      />
      <FieldRow>
        <Field name="mtu" kind="number" help={t("system.mtuHelp")} />
        {/* The selected CPEs have devices with different capabilities. */}
        <CapabilitiesProvider capabilities={null}>
          <Field name="bandwidth" kind="number" help={t("system.bandwidthHelp")} />
        </CapabilitiesProvider>
      </FieldRow>
      <FieldRow>
        <Turn name="nXACLEnabled" />
        <Turn name="byteLog" />
      </FieldRow>
      <Turn name="auditLog" />
    </CallDialog>
  );
}

/** On, off, or as each has it: a switch has no third place. */
function Turn({ name }: { readonly name: "nXACLEnabled" | "byteLog" | "auditLog" }) {
  const t = useSiteTexts();
  const labels = { on: t.code("enable", true), off: t.code("enable", false) };
  return (
    <Field name={name}>
      {(control: FieldControl<boolean | null>) => (
        <Select<"on" | "off">
          id={control.id}
          allowClear
          placeholder={t("batch.keep")}
          value={control.value === null ? null : control.value ? "on" : "off"}
          options={(["on", "off"] as const).map((value) => ({ value, label: labels[value] }))}
          onChange={(value) => control.set(value === undefined ? null : value === "on")}
          onBlur={control.leave}
          aria-describedby={control.describedBy}
        />
      )}
    </Field>
  );
}
