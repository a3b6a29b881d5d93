import { l7Page } from "@weft/contract/domains/policies/applications.ts";
import type { DestinationKind } from "@weft/contract/domains/policies/destination-enums.ts";
import type { Language } from "@weft/contract/kernel/message.ts";
import { formatMessage } from "@weft/contract/kernel/message.ts";
import { applications } from "@weft/contract/rules/applications.ts";
import Input from "antd/es/input/Input";
import TextArea from "antd/es/input/TextArea";
import Select from "antd/es/select";
import { useCall } from "#client/use-call.ts";
import type { FieldControl } from "#kernel/form/field.tsx";
import { ManyChoice } from "#parts/fields/many-choice.tsx";
import { type AccelerationTexts, useAccelerationTexts } from "./messages.ts";

interface Choice {
  /** In wire form. */
  readonly value: string;
  readonly label: string;
}

/** Protocols that are distinguished, those of a heading behind it. */
const protocolChoices = (language: Language): Choice[] =>
  applications.map(({ id, name }) => ({ value: String(id), label: formatMessage(name, language) }));

/** What members of a kind are selected from; null: they are typed. */
function useDestinationChoices(kind: DestinationKind): readonly Choice[] | null {
  const t = useAccelerationTexts();
  const result = useCall(l7Page, kind === "app" ? { name: null, page: 1, limit: 1_000 } : null);
  if (kind === "dpi") return protocolChoices(t.language);
  if (kind !== "app") return null;
  return (result.data ?? []).map(({ id, name, nameEn }) => ({
    value: String(id),
    label: t.language === "en_gb" ? nameEn : name,
  }));
}

interface ControlProps<Value> {
  readonly kind: DestinationKind;
  readonly control: FieldControl<Value>;
}

const lines = (text: string): string[] => text.split(/[\n,]/);

/** A set of members: selected, or typed one per line. */
export function MembersInput({ kind, control }: ControlProps<readonly string[]>) {
  const choices = useDestinationChoices(kind);
  if (choices) return <ManyChoice control={control} options={choices} />;
  return (
    <TextArea
      id={control.id}
      aria-describedby={control.describedBy}
      onBlur={control.leave}
      {...(control.isWrong && { status: "error" as const })}
      className="w-mono"
      autoSize={{ minRows: 4, maxRows: 12 }}
      value={(control.value ?? []).join("\n")}
      onChange={(event) => control.set(lines(event.target.value))}
    />
  );
}

/** One destination: selected, or typed. */
export function DestinationInput({ kind, control }: ControlProps<string>) {
  const choices = useDestinationChoices(kind);
  const shared = {
    id: control.id,
    "aria-describedby": control.describedBy,
    onBlur: control.leave,
    ...(control.isWrong && { status: "error" as const }),
  };
  if (choices)
    return (
      <Select<string>
        {...shared}
        value={control.value === "" ? null : control.value}
        options={[...choices]}
        showSearch={{ optionFilterProp: "label" }}
        onChange={control.set}
      />
    );
  return (
    <Input
      {...shared}
      className="w-mono"
      autoComplete="off"
      value={control.value ?? ""}
      onChange={(event) => control.set(event.target.value)}
    />
  );
}

/** What a member is called; its number while that is not known. */
export function Destination(props: { readonly kind: DestinationKind; readonly value: string }) {
  const choices = useDestinationChoices(props.kind);
  const text = choices?.find(({ value }) => value === props.value)?.label ?? props.value;
  return (
    <span className="w-cut" title={text}>
      {text}
    </span>
  );
}

const textOf = (names: readonly string[], t: AccelerationTexts): string => {
  const [first = ""] = names;
  return names.length > 3
    ? t("accel.more", { first: t.list(names.slice(0, 2)) || first, count: names.length })
    : t.list(names);
};

/** The members of a row in a line; all of them on hover. */
export function Members(props: {
  readonly kind: DestinationKind;
  readonly values: readonly string[];
}) {
  const t = useAccelerationTexts();
  const choices = useDestinationChoices(props.kind);
  const names = props.values.map((id) => choices?.find(({ value }) => value === id)?.label ?? id);
  return (
    <span className="w-cut" title={names.join("\n")}>
      {textOf(names, t)}
    </span>
  );
}
