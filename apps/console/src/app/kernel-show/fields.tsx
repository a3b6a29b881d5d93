import { popStrategy } from "@weft/contract/domains/overlay/pop-strategy.ts";
import * as codec from "@weft/contract/kernel/codec.ts";
import * as address from "@weft/contract/rules/address.ts";
import Button from "antd/es/button";
import { useEffect, useRef } from "react";
import { z } from "zod";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { Field, FieldGroup, FieldRow, When } from "#kernel/form/field.tsx";
import type { FieldProps } from "#kernel/form/field-props.ts";
import type { FieldKind } from "#kernel/form/field-schema.ts";
import { useDraft } from "#kernel/form/use-draft.ts";
import { MegabitsControl } from "#parts/fields/megabits-control.tsx";
import { Card } from "#ui/card.tsx";
import { type ShowTexts, useShowTexts } from "./show-texts.ts";

const anything = z.object({
  text: codec.text(40),
  password: codec.text(40),
  remark: codec.text(200),
  mono: address.ipv4Address,
  number: codec.orNull(codec.int(1, 255)),
  mbps: codec.orNull(codec.int(1, 100_000_000)),
  switch: codec.flag,
  select: codec.code([1, 2]),
  radio: codec.code([1, 2]),
  dateTime: codec.instant,
  enterprise: codec.id,
  combo: codec.orNull(codec.id),
});
type Name = keyof typeof anything.shape & string;

const choices = (t: ShowTexts) => [
  { value: 1, label: t("show.one") },
  { value: 2, label: t("show.two") },
];

/** Every kind of field that the kernel has; a new one is a type error until it is listed here. */
const kinds: Readonly<Record<FieldKind, (t: ShowTexts) => Partial<FieldProps>>> = {
  text: () => ({}),
  mono: () => ({ placeholder: "10.0.0.1" }),
  number: (t) => ({ help: t("show.helpText") }),
  select: (t) => ({ options: choices(t) }),
  radio: (t) => ({ options: choices(t) }),
  switch: () => ({}),
  dateTime: () => ({}),
  password: () => ({}),
  combo: () => ({ endpoint: popStrategy.ops.combo }),
  remark: () => ({}),
};

/** Controls of subjects, which the kernel does not know. */
const given = { mbps: MegabitsControl, enterprise: EnterpriseControl } as const;

const ignore = (): void => undefined;

export function Fields() {
  const t = useShowTexts();
  const form = useDraft(anything, { text: "Weft", select: 1, radio: 1, switch: true });
  return (
    <Card title={t("show.fields")}>
      <DraftForm form={form} onSubmit={ignore}>
        {(Object.keys(kinds) as FieldKind[]).map((kind) => (
          <Field
            key={kind}
            name={kind satisfies Name}
            kind={kind}
            label={kind}
            {...kinds[kind](t)}
          />
        ))}
        {Object.entries(given).map(([name, control]) => (
          <Field key={name} name={name} kind={control} label={name} />
        ))}
      </DraftForm>
    </Card>
  );
}

const states = z.object({
  required: codec.text(20, 1),
  wrong: address.ipv4Address,
  off: codec.text(20),
  helped: codec.orNull(codec.int(1, 255)),
  on: codec.flag,
  more: codec.text(20),
});

export function FieldStates() {
  const t = useShowTexts();
  const form = useDraft(states, {
    required: "",
    wrong: "10.0.0.300",
    off: "wan1",
    on: true,
    more: "",
  });
  const { leave } = form;
  const isLeft = useRef(false);
  useEffect(() => {
    // Fields show what is wrong once they were left.
    if (isLeft.current) return;
    isLeft.current = true;
    for (const name of ["required", "wrong"]) leave(name);
  }, [leave]);
  return (
    <Card title={t("show.fieldStates")}>
      <DraftForm form={form} onSubmit={ignore}>
        <FieldRow>
          <Field name="required" label={t("show.required")} />
          <Field name="wrong" kind="mono" label={t("show.wrong")} />
        </FieldRow>
        <FieldGroup title={t("show.group")}>
          <Field name="off" label={t("show.off")} disabled={t("show.locked")} />
          <Field name="helped" label={t("show.helped")} unit="ms" help={t("show.helpText")} />
          <Field name="on" label={t("act.enable")} />
          {form.values.on === true && (
            <When>
              <Field name="more" label={t("show.dependent")} />
            </When>
          )}
        </FieldGroup>
        <div>
          <Button htmlType="submit">{t("show.check")}</Button>
        </div>
      </DraftForm>
    </Card>
  );
}
