import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { useCall } from "#client/use-call.ts";
import type { FieldControl } from "#kernel/form/field.tsx";
import { ManyChoice } from "#parts/fields/many-choice.tsx";

interface Props {
  readonly control: FieldControl<readonly number[]>;
  readonly placeholder?: string;
}

/** Several CPEs by name. */
export function CpeChoice({ control, placeholder }: Props) {
  const asked = useCall(cpe.ops.combo, {});
  return (
    <ManyChoice
      control={control}
      {...(placeholder !== undefined && { placeholder })}
      loading={asked.isFirstLoad}
      inOneLine
      options={(asked.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
