import { valueText } from "@weft/contract/value-texts.ts";
import { type ReactNode, useId } from "react";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import type { ControlState, FieldProps, Option } from "./field-props.ts";
import type { Draft } from "./use-draft.ts";

interface Props {
  readonly field: FieldProps;
  readonly value: unknown;
}

/** A value of a field of the form, as the field shows it: labels for ids and codes, units for numbers. */
function FieldValue({ field, value }: Props): ReactNode {
  const t = useTexts();
  const { name, kind, options, endpoint, say, unit, children } = field;
  const isNothing = value === null || value === undefined || value === "";
  if (isNothing) return valueText(name, value, t.language);
  if (say) return say(value);
  if (options) return <Labels name={name} value={value} options={options} />;
  if (endpoint && kind === "combo") return <ComboLabels field={field} value={value} />;
  if (children || (kind && typeof kind !== "string"))
    return <ReadOnly field={field} value={value} />;
  const text = valueText(name, value, t.language);
  return unit === undefined ? text : `${text} ${unit}`;
}

/** The labels of one value or of several. */
function Labels({
  name,
  value,
  options,
}: {
  readonly name: string;
  readonly value: unknown;
  readonly options: readonly Option[];
}) {
  const t = useTexts();
  const labelOf = (one: unknown): string =>
    options.find((option) => option.value === one)?.label ?? valueText(name, one, t.language);
  return Array.isArray(value) ? t.list(value.map(labelOf)) : labelOf(value);
}

function ComboLabels({ field, value }: Props) {
  const { data } = useCall(field.endpoint as NonNullable<FieldProps["endpoint"]>, {});
  const options = ((data ?? []) as { id: number; name: string }[]).map(({ id, name }) => ({
    value: id,
    label: name,
  }));
  return <Labels name={field.name} value={value} options={options} />;
}

/** The control itself, which changes nothing. */
function ReadOnly({ field, value }: Props) {
  const id = useId();
  const nothing = (): void => undefined;
  const control: ControlState = {
    ...{ id, value, set: nothing, leave: nothing },
    ...{ isWrong: false, disabled: true, describedBy: id },
  };
  const { kind: Control, children } = field;
  if (children) return children(control);
  return Control && typeof Control !== "string" ? (
    <Control control={control} isNullable field={field} />
  ) : null;
}

/** How the form says its fields and their values, for what shows them elsewhere. */
export const sayingOf = ({ fields }: Pick<Draft, "fields">) => ({
  label: (name: string): string | undefined => fields.get(name)?.label,
  shown: (name: string, value: unknown): ReactNode | undefined => {
    const field = fields.get(name);
    return field && <FieldValue field={field} value={value} />;
  },
});
