import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { cpeFindAllByGroup } from "@weft/contract/domains/devices/cpe-actions.ts";
import { useCall } from "#client/use-call.ts";
import type { FieldControl } from "#kernel/form/field.tsx";
import { ManyChoice } from "./many-choice.tsx";

interface Props {
  readonly control: FieldControl<readonly number[]>;
  readonly placeholder?: string;
  /** Only CPEs of this enterprise; absent: of all that the caller may see. */
  readonly groupid?: number;
}

/** Several CPEs by name. */
export function CpeChoice({ groupid, ...props }: Props) {
  return groupid === undefined ? (
    <OfAll {...props} />
  ) : (
    <OfEnterprise {...props} groupid={groupid} />
  );
}

function OfAll(props: Props) {
  const { data, isFirstLoad } = useCall(cpe.ops.combo, {});
  return <Choice {...props} cpes={data} loading={isFirstLoad} />;
}

function OfEnterprise({ groupid, ...props }: Props & { readonly groupid: number }) {
  const { data, isFirstLoad } = useCall(cpeFindAllByGroup, { groupid });
  const cpes = data?.map(({ id, alias }) => ({ id, name: alias }));
  return <Choice {...props} cpes={cpes} loading={isFirstLoad} />;
}

interface ChoiceProps extends Props {
  readonly cpes: readonly { readonly id: number; readonly name: string }[] | undefined;
  readonly loading: boolean;
}

function Choice({ control, placeholder, cpes = [], loading }: ChoiceProps) {
  return (
    <ManyChoice
      control={control}
      {...(placeholder !== undefined && { placeholder })}
      loading={loading}
      inOneLine
      options={cpes.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}
