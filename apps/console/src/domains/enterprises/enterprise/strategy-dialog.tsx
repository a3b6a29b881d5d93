import { pop } from "@weft/contract/domains/devices/pop.ts";
import { enterpriseEditStrategy } from "@weft/contract/domains/enterprises/enterprise.ts";
import { strategyTypes } from "@weft/contract/domains/enterprises/enums.ts";
import { popStrategy } from "@weft/contract/domains/overlay/pop-strategy.ts";
import { useMay } from "#client/session.tsx";
import { useCall } from "#client/use-call.ts";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { Field, When } from "#kernel/form/field.tsx";
import { CallDialog } from "#parts/call-dialog.tsx";
import { ManyChoice } from "#parts/fields/many-choice.tsx";
import { type EnterpriseRow, useEnterpriseTexts } from "./enterprise-texts.ts";

interface Props {
  readonly row: EnterpriseRow;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Which POPs an enterprise uses: selected by the controller, or those of a strategy. */
export function StrategyDialog({ row, open, onClose }: Props) {
  const t = useEnterpriseTexts();
  return (
    <CallDialog
      endpoint={enterpriseEditStrategy}
      open={open}
      title={t("enterprise.strategyTitle", { name: row.name })}
      initial={{
        groupid: row.groupid,
        strategyType: row.strategyType as 0 | 1,
        popStrategyId: row.popStrategyId,
        checkServerData: row.checkServerData,
      }}
      ok={t("act.save")}
      touches={["enterprise", "popStrategy"]}
      onClose={onClose}
    >
      <Field
        name="strategyType"
        kind="radio"
        options={strategyTypes.map((value) => ({
          value,
          label: t.code("strategyType", value),
          help: t(value === 0 ? "enterprise.strategyAuto" : "enterprise.strategyFixed"),
        }))}
      />
      <Selected />
    </CallDialog>
  );
}

interface Values {
  readonly strategyType: number;
  readonly popStrategyId: number | null;
}

/** Strategies are few: one page holds them all. */
const allStrategies = {
  name: null,
  groupid: null,
  orderByColumn: "name",
  isAsc: "asc" as const,
  page: 1,
  limit: 1_000,
};

/** The strategy, and which of its POPs. */
function Selected() {
  const t = useEnterpriseTexts();
  const may = useMay();
  const { strategyType, popStrategyId } = useDraftValues<Values>();
  const strategies = useCall(popStrategy.ops.list, allStrategies);
  const pops = useCall(pop.ops.combo, {});
  if (strategyType !== 1) return null;
  const selected = strategies.data?.find(({ id }) => id === popStrategyId);
  const nameOf = (id: number) => pops.data?.find((one) => one.id === id)?.name ?? String(id);
  return (
    <When>
      <Field
        name="popStrategyId"
        kind="select"
        options={(strategies.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      />
      {may("enterpriseShowServer") && (
        <Field name="checkServerData" help={t("enterprise.servers")}>
          {(control) => (
            <ManyChoice<number>
              control={{
                ...control,
                value: (control.value ?? []).filter((id: number) => selected?.popIds.includes(id)),
                disabled: !selected,
              }}
              options={(selected?.popIds ?? []).map((id) => ({ value: id, label: nameOf(id) }))}
            />
          )}
        </Field>
      )}
    </When>
  );
}
