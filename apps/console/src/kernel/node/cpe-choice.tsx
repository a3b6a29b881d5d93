import { cpe } from "@weft/contract/resources/cpe.ts";
import Select from "antd/es/select";
import type { FieldControl } from "#kernel/form/field.tsx";
import { useCall } from "#kernel/use-call.ts";

interface Props {
  readonly control: FieldControl<readonly number[]>;
  readonly placeholder?: string;
}

/** Several CPEs by name. */
export function CpeChoice({ control, placeholder }: Props) {
  const asked = useCall(cpe.ops.combo, {});
  return (
    <Select
      id={control.id}
      mode="multiple"
      style={{ width: "100%" }}
      value={[...(control.value ?? [])]}
      status={control.isWrong ? "error" : ""}
      placeholder={placeholder}
      loading={asked.isFirstLoad}
      optionFilterProp="label"
      maxTagCount="responsive"
      options={(asked.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      onChange={(ids: number[]) => control.set(ids)}
    />
  );
}
