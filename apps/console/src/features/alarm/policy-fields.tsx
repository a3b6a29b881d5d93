import { messageReceive } from "@weft/contract/resources/alarm.ts";
import { pop } from "@weft/contract/resources/pop.ts";
import Select from "antd/es/select";
import { Field, type FieldControl } from "#kernel/form/field.tsx";
import { CpeChoice } from "#kernel/node/cpe-choice.tsx";
import { useCall } from "#kernel/use-call.ts";
import { useAlarmTexts } from "./alarm-words.ts";

type Ids = FieldControl<readonly number[]>;

interface ChoiceProps {
  readonly control: Ids;
  readonly choices: readonly { readonly id: number; readonly name: string }[];
}

function Choice({ control, choices }: ChoiceProps) {
  return (
    <Select<number[]>
      id={control.id}
      mode="multiple"
      style={{ width: "100%" }}
      value={[...(control.value ?? [])]}
      options={choices.map(({ id, name }) => ({ value: id, label: name }))}
      showSearch={{ optionFilterProp: "label" }}
      maxTagCount="responsive"
      onChange={control.set}
      onBlur={control.leave}
      aria-describedby={control.describedBy}
      {...(control.isWrong && { status: "error" as const })}
    />
  );
}

const everybody = { name: null, groupid: null, orderByColumn: "name", isAsc: "asc" } as const;

/** What is watched and who is told. */
export function PolicyFields() {
  const t = useAlarmTexts();
  const pops = useCall(pop.ops.combo, {});
  const receivers = useCall(messageReceive.ops.list, { ...everybody, page: 1, limit: 1_000 });
  return (
    <>
      <Field name="name" />
      <Field name="groupid" kind="enterprise" />
      <Field name="cpeIds" help={t("alarmPolicy.nodesHelp")}>
        {(control) => <CpeChoice control={control as Ids} />}
      </Field>
      <Field name="popIds">
        {(control) => <Choice control={control as Ids} choices={pops.data ?? []} />}
      </Field>
      <Field name="recipientIds" help={t("alarmPolicy.recipientsHelp")}>
        {(control) => <Choice control={control as Ids} choices={receivers.data ?? []} />}
      </Field>
      <Field name="enable" label={t.code("enable", true)} />
      <Field name="remark" />
    </>
  );
}
