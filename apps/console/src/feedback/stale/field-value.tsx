import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import { valueText } from "@weft/contract/value-texts.ts";
import { type ComponentType, type ReactNode, useId } from "react";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";

interface Option {
  readonly value: string | number;
  readonly label: string;
}

/** A control that shows a value and changes nothing. */
interface ReadOnlyControl {
  readonly id: string;
  readonly value: unknown;
  set(value: unknown): void;
  leave(): void;
  readonly isWrong: boolean;
  readonly disabled: boolean;
  readonly describedBy: string;
}

/** What a field of a form says of how it shows values. */
export interface ShownField {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: its props are the kernel's, which is above this folder
  readonly kind?: string | ComponentType<any>;
  readonly label?: string;
  readonly unit?: string;
  readonly options?: readonly Option[];
  readonly endpoint?: Endpoint;
  readonly format?: (value: unknown) => string;
  readonly children?: (control: ReadOnlyControl) => ReactNode;
}

interface Props {
  readonly field: ShownField;
  readonly value: unknown;
}

/** A value of a field of the form, as the field shows it: labels for ids and codes, units for numbers. */
export function FieldValue({ field, value }: Props): ReactNode {
  const t = useTexts();
  const { name, kind, options, endpoint, format, unit, children } = field;
  const isNothing = value === null || value === undefined || value === "";
  if (isNothing) return valueText(name, value, t.language);
  if (format) return format(value);
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
  const labelOf = (item: unknown): string =>
    options.find((option) => option.value === item)?.label ?? valueText(name, item, t.language);
  return Array.isArray(value) ? t.list(value.map(labelOf)) : labelOf(value);
}

function ComboLabels({ field, value }: Props) {
  const { data } = useCall(field.endpoint as Endpoint, {});
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
  const control: ReadOnlyControl = {
    id,
    value,
    set: nothing,
    leave: nothing,
    isWrong: false,
    disabled: true,
    describedBy: id,
  };
  const { kind: Control, children } = field;
  if (children) return children(control);
  return Control && typeof Control !== "string" ? (
    <Control control={control} isNullable field={field} />
  ) : null;
}
