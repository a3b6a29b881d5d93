import Input from "antd/es/input/Input";
import PasswordInput from "antd/es/input/Password";
import TextArea from "antd/es/input/TextArea";
import InputNumber from "antd/es/input-number";
import Radio from "antd/es/radio";
import Switch from "antd/es/switch";
import type { ComponentType, ReactNode } from "react";
import { useCall } from "#client/use-call.ts";
import { later } from "#feedback/later.tsx";
import { Choice } from "./choice.tsx";
import { shared } from "./control-props.ts";
import type { ControlProps as Props } from "./field-props.ts";
import type { FieldKind } from "./field-schema.ts";

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const emptyAs = (text: string, isNullable: boolean): string | null =>
  text === "" && isNullable ? null : text;

/** The unit inside of a field. */
const unit = (text: string | undefined): ReactNode =>
  text === undefined ? undefined : <span className="w-quiet">{text}</span>;

function Text(props: Props) {
  const { control, isNullable, field } = props;
  return (
    <Input
      {...shared(props)}
      value={textOf(control.value)}
      placeholder={field.placeholder}
      suffix={unit(field.unit)}
      autoComplete={field.autoComplete ?? "off"}
      className={field.kind === "mono" ? "w-mono" : ""}
      onChange={(event) => control.set(emptyAs(event.target.value, isNullable))}
    />
  );
}

function Password(props: Props) {
  const { control, isNullable, field } = props;
  return (
    <PasswordInput
      {...shared(props)}
      value={textOf(control.value)}
      placeholder={field.placeholder}
      autoComplete={field.autoComplete ?? "new-password"}
      onChange={(event) => control.set(emptyAs(event.target.value, isNullable))}
    />
  );
}

function Remark(props: Props) {
  const { control, field } = props;
  return (
    <TextArea
      {...shared(props)}
      value={textOf(control.value)}
      placeholder={field.placeholder}
      autoSize={{ minRows: 2, maxRows: 6 }}
      onChange={(event) => control.set(event.target.value)}
    />
  );
}

const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

function Numeric(props: Props) {
  const { control, isNullable, field } = props;
  const { "aria-invalid": _, ...common } = shared(props);
  return (
    <InputNumber<number>
      {...common}
      value={numberOf(control.value)}
      placeholder={field.placeholder}
      suffix={unit(field.unit)}
      controls={false}
      style={{ width: "100%" }}
      onChange={(value) => control.set(value ?? (isNullable ? null : undefined))}
    />
  );
}

/** A select whose choices are called for. */
function Combo(props: Props) {
  const { endpoint } = props.field;
  if (!endpoint) throw new Error(`${props.field.name} is a combo without its call`);
  const { data } = useCall(endpoint, {});
  const options = ((data ?? []) as { id: number; name: string }[]).map(({ id, name }) => ({
    value: id,
    label: name,
  }));
  return <Choice {...props} field={{ ...props.field, options }} />;
}

function Radios({ control, field }: Props) {
  return (
    <Radio.Group
      id={control.id}
      aria-labelledby={control.labelledBy}
      aria-describedby={control.describedBy}
      disabled={control.disabled}
      value={control.value}
      className={field.options?.some((option) => option.help) ? "w-radio-lines" : ""}
      onChange={(event) => control.set(event.target.value)}
    >
      {(field.options ?? []).map(({ value, label, help, disabled }) => (
        <Radio key={value} value={value} disabled={disabled ?? control.disabled}>
          {label}
          {help && <span className="w-radio-help">{help}</span>}
        </Radio>
      ))}
    </Radio.Group>
  );
}

function Toggle({ control }: Props) {
  return (
    <Switch
      id={control.id}
      checked={control.value === true}
      disabled={control.disabled}
      aria-describedby={control.describedBy}
      onChange={control.set}
    />
  );
}

/** The picker weighs as much as all other controls: it comes when the first date is asked for. */
const Moment = later<Props>(
  async () => (await import("./moment-control.tsx")).Moment,
  <Input disabled />,
);

/** The control of each kind that the kernel has. */
export const controls: Readonly<Record<FieldKind, ComponentType<Props>>> = {
  text: Text,
  mono: Text,
  password: Password,
  remark: Remark,
  number: Numeric,
  select: Choice,
  combo: Combo,
  radio: Radios,
  switch: Toggle,
  dateTime: Moment,
};
