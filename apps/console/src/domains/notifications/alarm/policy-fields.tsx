import { pop } from "@weft/contract/domains/devices/pop.ts";
import { messageReceive } from "@weft/contract/domains/notifications/message-receive.ts";
import { useCall } from "#client/use-call.ts";
import { EnterpriseControl } from "#domains/enterprises/parts/enterprise/enterprise-control.tsx";
import { Field, type FieldControl } from "#kernel/form/field.tsx";
import { CpeChoice } from "#parts/fields/cpe-choice.tsx";
import { ManyChoice } from "#parts/fields/many-choice.tsx";
import { useAlarmTexts } from "./alarm-text.ts";

type Ids = FieldControl<readonly number[]>;

interface Named {
  readonly id: number;
  readonly name: string;
}
const optionsOf = (rows: readonly Named[] = []) =>
  rows.map(({ id, name }) => ({ value: id, label: name }));

const anyone = { name: null, groupid: null, orderByColumn: "name", isAsc: "asc" } as const;

/** What is watched and who is notified. */
export function PolicyFields() {
  const t = useAlarmTexts();
  const pops = useCall(pop.ops.combo, {});
  const receivers = useCall(messageReceive.ops.list, { ...anyone, page: 1, limit: 1_000 });
  return (
    <>
      <Field name="name" />
      <Field name="groupid" kind={EnterpriseControl} />
      <Field name="cpeIds" help={t("alarmPolicy.nodesHelp")}>
        {(control) => <CpeChoice control={control as Ids} />}
      </Field>
      <Field name="popIds">
        {(control) => (
          <ManyChoice inOneLine control={control as Ids} options={optionsOf(pops.data)} />
        )}
      </Field>
      <Field name="recipientIds" help={t("alarmPolicy.recipientsHelp")}>
        {(control) => (
          <ManyChoice inOneLine control={control as Ids} options={optionsOf(receivers.data)} />
        )}
      </Field>
      <Field name="enable" label={t.code("enable", true)} />
      <Field name="remark" />
    </>
  );
}
