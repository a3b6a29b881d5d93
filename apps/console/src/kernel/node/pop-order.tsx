import { pop } from "@weft/contract/resources/pop.ts";
import Select from "antd/es/select";
import type { FieldControl } from "#kernel/form/field.tsx";
import { useCall } from "#kernel/use-call.ts";

/** Chooses POPs; they stay in the order in which they were chosen. */
export function PopOrder({ control }: { readonly control: FieldControl<readonly number[]> }) {
  const { data = [] } = useCall(pop.ops.combo, {});
  return (
    <Select<number[]>
      id={control.id}
      mode="multiple"
      value={[...(control.value ?? [])]}
      options={data.map(({ id, name }) => ({ value: id, label: name }))}
      showSearch={{ optionFilterProp: "label" }}
      onChange={control.set}
      onBlur={control.leave}
      aria-describedby={control.describedBy}
      {...(control.isWrong && { status: "error" as const })}
    />
  );
}

/** Names of POPs in the order of a row. */
export function PopNames({ ids }: { readonly ids: readonly number[] }) {
  const { data = [] } = useCall(pop.ops.combo, {});
  const nameOf = (id: number) => data.find((one) => one.id === id)?.name ?? String(id);
  const text = ids.map(nameOf).join(" › ");
  return (
    <span className="w-cut" title={text}>
      {text || "—"}
    </span>
  );
}
