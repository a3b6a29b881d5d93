import { type CpeItem, cpeBatchEditXwan, cpeItems } from "@weft/contract/calls/cpe-config.ts";
import { xModes } from "@weft/contract/enums/node.ts";
import Modal from "antd/es/modal";
import Select from "antd/es/select";
import { useState } from "react";
import { call } from "#kernel/call.ts";
import { useToast } from "#kernel/feedback/toast.tsx";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { codeOptions, Field, type FieldControl, FieldRow } from "#kernel/form/field.tsx";
import { type DraftSchema, useDraft } from "#kernel/form/use-draft.ts";
import { useInvalidate } from "#kernel/use-action.ts";
import { type CpeRow, useSiteTexts } from "./cpe-texts.ts";

/** Items that are the same for many boxes; the others belong to one. */
const items = ["xMode", "mtu", "bandwidth", "nXACLEnabled", "byteLog", "auditLog"] as const;

const untouched = Object.fromEntries(Object.keys(cpeItems).map((name) => [name, null])) as Record<
  CpeItem,
  null
>;
const schema = cpeBatchEditXwan.input.pick(
  Object.fromEntries(items.map((name) => [name, true])) as Record<(typeof items)[number], true>,
);
const start = Object.fromEntries(items.map((name) => [name, null]));

interface Props {
  readonly rows: readonly CpeRow[];
  readonly onClose: () => void;
}

/** The same settings for chosen CPEs: what is left empty stays as each of them has it. */
export function BatchSettings({ rows, onClose }: Props) {
  const t = useSiteTexts();
  const toast = useToast();
  const invalidate = useInvalidate();
  const form = useDraft(schema as unknown as DraftSchema, start);
  const [isActing, setActing] = useState(false);
  const submit = async (values: object): Promise<void> => {
    setActing(true);
    try {
      const ids = rows.map(({ id }) => id);
      await call(cpeBatchEditXwan, { ids, ...untouched, ...values });
      toast.done(t("node.saved"));
      invalidate("cpe", "cfgInit", "nodeState", "task");
      onClose();
    } finally {
      setActing(false);
    }
  };
  return (
    <Modal
      open
      width={560}
      title={t("batch.settingsOf", { count: rows.length })}
      okText={t("system.save")}
      cancelText={t("act.cancel")}
      confirmLoading={isActing}
      okButtonProps={{
        htmlType: "submit",
        form: "batch-settings",
        disabled: form.changed.length === 0,
      }}
      onCancel={onClose}
      destroyOnHidden
    >
      <p className="w-quiet">{t("batch.settingsHelp")}</p>
      <DraftForm id="batch-settings" form={form} onSubmit={(values) => submit(values as object)}>
        <Field
          name="xMode"
          kind="select"
          options={codeOptions(t, "xMode", xModes)}
          placeholder={t("batch.keep")}
        />
        <FieldRow>
          <Field name="mtu" kind="number" help={t("system.mtuHelp")} />
          <Field name="bandwidth" kind="number" help={t("system.bandwidthHelp")} />
        </FieldRow>
        <FieldRow>
          <Turn name="nXACLEnabled" />
          <Turn name="byteLog" />
        </FieldRow>
        <Turn name="auditLog" />
      </DraftForm>
    </Modal>
  );
}

/** On, off, or as each has it: a switch has no third place. */
function Turn({ name }: { readonly name: (typeof items)[number] }) {
  const t = useSiteTexts();
  const words = { on: t.code("enable", true), off: t.code("enable", false) };
  return (
    <Field name={name}>
      {(control: FieldControl<boolean | null>) => (
        <Select<"on" | "off">
          id={control.id}
          allowClear
          placeholder={t("batch.keep")}
          value={control.value === null ? null : control.value ? "on" : "off"}
          options={(["on", "off"] as const).map((value) => ({ value, label: words[value] }))}
          onChange={(value) => control.set(value === undefined ? null : value === "on")}
          onBlur={control.leave}
          aria-describedby={control.describedBy}
        />
      )}
    </Field>
  );
}
