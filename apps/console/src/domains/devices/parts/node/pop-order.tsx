import { pop } from "@weft/contract/domains/devices/pop.ts";
import { useCall } from "#client/use-call.ts";
import type { FieldControl } from "#kernel/form/field.tsx";
import { ManyChoice } from "#parts/fields/many-choice.tsx";

/** Chooses POPs; they stay in the order in which they were selected. */
export function PopOrder({ control }: { readonly control: FieldControl<readonly number[]> }) {
  const { data = [] } = useCall(pop.ops.combo, {});
  return (
    <ManyChoice
      control={control}
      options={data.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

/** Names of POPs in the order of a row. */
export function PopNames({ ids }: { readonly ids: readonly number[] }) {
  const { data = [] } = useCall(pop.ops.combo, {});
  const nameOf = (id: number) => data.find((row) => row.id === id)?.name ?? String(id);
  const text = ids.map(nameOf).join(" › ");
  return (
    <span className="w-cut" title={text}>
      {text || "—"}
    </span>
  );
}
