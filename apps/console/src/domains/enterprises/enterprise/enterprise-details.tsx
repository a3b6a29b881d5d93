import { pop } from "@weft/contract/domains/devices/pop.ts";
import {
  enterprise,
  enterpriseEditConfig,
  enterpriseEditCtg,
  enterpriseEditEn,
  enterpriseEditStrategy,
} from "@weft/contract/domains/enterprises/enterprise.ts";
import { strategyTypes } from "@weft/contract/domains/enterprises/enums.ts";
import { popStrategy } from "@weft/contract/domains/overlay/pop-strategy.ts";
import Button from "antd/es/button";
import Tooltip from "antd/es/tooltip";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { paths, withSearch } from "#client/paths.ts";
import { May, useMay, useSession } from "#client/session.tsx";
import { useCall } from "#client/use-call.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { useAction } from "#feedback/use-action.ts";
import { useRemove } from "#feedback/use-remove.ts";
import { useDraftValues } from "#kernel/form/draft-form.tsx";
import { Field, When } from "#kernel/form/field.tsx";
import { CallDialog } from "#parts/call-dialog.tsx";
import { ManyChoice } from "#parts/fields/many-choice.tsx";
import { OwnPassword } from "#parts/fields/own-password.tsx";
import { KeyValue } from "#ui/key-value.tsx";
import { Missing } from "#ui/missing.tsx";
import { Money } from "#ui/money.tsx";
import { Drawer } from "#ui/overlay/drawer.tsx";
import { TimeText } from "#ui/time-text.tsx";
import { useNarrow } from "#ui/use-narrow.ts";
import { BranchDrawer } from "./branch-drawer.tsx";
import styles from "./enterprise-details.module.css";
import {
  type EnterpriseRow,
  type EnterpriseTexts,
  useEnterpriseTexts,
} from "./enterprise-texts.ts";

interface StrategyDialogProps {
  readonly row: EnterpriseRow;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Which POPs an enterprise uses: selected by the controller, or those of a strategy. */
function StrategyDialog({ row, open, onClose }: StrategyDialogProps) {
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
  const nameOf = (id: number) => pops.data?.find((row) => row.id === id)?.name ?? String(id);
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

interface Props {
  readonly row: EnterpriseRow | null;
  /** What the address opens: one of `parts`. */
  readonly part: string | null;
  readonly open: (what: string, id?: number) => void;
  readonly onClose: () => void;
}

const parts = ["details", "strategy", "config", "branches", "enable"];

/** All of one enterprise, with what the row has no room for. */
export function EnterpriseDetails({ row, part, open, onClose }: Props) {
  const isNarrow = useNarrow();
  const isOpen = row !== null && part !== null && parts.includes(part);
  return (
    <>
      <Drawer
        open={isOpen && part === "details"}
        title={row?.name}
        size={isNarrow ? "100%" : 480}
        destroyOnHidden
        onClose={onClose}
      >
        {row && <Body row={row} open={open} onClose={onClose} />}
      </Drawer>
      {row && (
        <>
          <StrategyDialog row={row} open={isOpen && part === "strategy"} onClose={onClose} />
          <ConfigDialog row={row} open={isOpen && part === "config"} onClose={onClose} />
          <EnableDialog row={row} open={isOpen && part === "enable"} onClose={onClose} />
          {isOpen && part === "branches" && <BranchDrawer row={row} onClose={onClose} />}
        </>
      )}
    </>
  );
}

interface BodyProps {
  readonly row: EnterpriseRow;
  readonly open: (what: string, id?: number) => void;
  readonly onClose: () => void;
}

function Body({ row, open, onClose }: BodyProps) {
  const t = useEnterpriseTexts();
  const actions = useWholeActions(t, row, open, onClose);
  return (
    <>
      <KeyValue items={useFacts(t, row)} />
      <div className={styles.actions}>
        <May code="enterpriseShowPolicy">
          <May code="enterpriseEdit">
            <Button onClick={() => open("strategy", row.groupid)}>
              {t("enterprise.strategy")}
            </Button>
          </May>
        </May>
        <Button onClick={() => open("branches", row.groupid)}>{t("branch.title")}</Button>
        <May code="enterpriseEdit">
          <Button onClick={() => open("config", row.groupid)}>{t("enterprise.config")}</Button>
        </May>
        {actions.map(({ key, label, may, reason, danger, run }) => (
          <May key={key} code={may}>
            <Tooltip title={reason}>
              <Button danger={danger} disabled={reason !== null} onClick={() => void run()}>
                {label}
              </Button>
            </Tooltip>
          </May>
        ))}
      </div>
    </>
  );
}

/** What the enterprise is and has; each part for those who may see it. */
function useFacts(t: EnterpriseTexts, row: EnterpriseRow) {
  const may = useMay();
  const fact = (label: string, value: ReactNode, isShown = true) =>
    isShown ? [{ label, value: value ?? <Missing /> }] : [];
  const records = withSearch(paths.dealRecord(), { groupid: row.groupid, range: "30d" });
  const ofLimit = (used: number | null, limit: number | null) =>
    limit === null ? t("enterprise.noLimit") : t("enterprise.ofLimit", { used: used ?? 0, limit });
  const [money, policy] = [may("enterpriseBillingPerm"), may("enterpriseShowPolicy")];
  return [
    ...fact(t.field("enable"), t.code("enable", row.enable)),
    ...fact(t.field("parentId"), row.parentName),
    ...fact(t.field("isAgent"), t.code("flag", row.isAgent)),
    ...fact(t.field("enterpriseType"), t.code("enterpriseType", row.enterpriseType)),
    ...fact(t.field("businessType"), row.businessType && t.code("businessType", row.businessType)),
    ...fact(
      t.field("balance"),
      <Link className="w-link" to={records}>
        <Money value={row.balance} />
      </Link>,
      money,
    ),
    ...fact(t.field("creditLimit"), <Money value={row.creditLimit} />, money),
    ...fact(t.field("cpeLimit"), ofLimit(row.cpeUse, row.cpeLimit), money),
    ...fact(t.field("accountLimit"), ofLimit(row.accountUse, row.accountLimit), money),
    ...fact(
      t("enterprise.ending"),
      <TimeText value={row.endTime} form="stamp" />,
      may("enterpriseEndTime"),
    ),
    ...fact(
      t("enterprise.strategy"),
      row.popStrategyName ?? t.code("strategyType", row.strategyType),
      policy,
    ),
    ...fact(t.field("isPush"), t.code("flag", row.isPush), may("enterpriseEditCTG")),
    ...fact(
      t("enterprise.sold"),
      <>
        <Link className="w-link" to={withSearch(paths.circuits(), { groupid: row.groupid })}>
          {t("enterprise.circuits")}
        </Link>{" "}
        <Link className="w-link" to={paths.cug(row.groupid)}>
          {t("enterprise.cugs")}
        </Link>
      </>,
    ),
    ...fact(t.field("regions"), row.regions.join(" ") || null),
    ...fact(t.field("contact"), row.contact || null),
    ...fact(t.field("phone"), row.phone),
    ...fact(t.field("email"), row.email),
    ...fact(t.field("remark"), row.remark || null),
    ...fact(t.field("createTime"), <TimeText value={row.createTime} form="stamp" />),
    ...fact(t.field("createBy"), row.createBy),
  ];
}

/** What is asked about before it is done: the feed, the state, the removal. */
function useWholeActions(
  t: EnterpriseTexts,
  row: EnterpriseRow,
  open: Props["open"],
  onClose: () => void,
) {
  const { groupid: ownGroupid } = useSession();
  const disable = useDisable(t);
  const push = usePush(t);
  const remove = useRemove(enterprise, {
    title: ([first]) => t("enterprise.removeTitle", { name: first.name }),
    body: () => t("enterprise.removeBody"),
    typed: ([first]) => first.name,
  });
  const reason = row.groupid === ownGroupid ? t("enterprise.own") : null;
  return [
    {
      key: "push",
      may: "enterpriseEditCTG" as const,
      reason: null,
      danger: false,
      label: t(row.isPush ? "enterprise.unpush" : "enterprise.push"),
      run: () => push(row),
    },
    {
      key: "enable",
      may: "enterpriseEdit" as const,
      reason,
      danger: false,
      label: t(row.enable ? "act.disable" : "act.enable"),
      run: () => (row.enable ? disable(row) : open("enable", row.groupid)),
    },
    {
      key: "remove",
      may: "enterpriseRemove" as const,
      reason,
      danger: true,
      label: t("act.remove"),
      run: async () => {
        if (await remove([row])) onClose();
      },
    },
  ];
}

/** Hands an enterprise to the partner carrier, or stops it. */
function usePush(t: EnterpriseTexts) {
  const confirm = useConfirm();
  const { act } = useAction(enterpriseEditCtg);
  return async (row: EnterpriseRow): Promise<void> => {
    const { name, isPush, groupid } = row;
    const isMeant = await confirm({
      title: t(isPush ? "enterprise.unpushTitle" : "enterprise.pushTitle", { name }),
      body: t(isPush ? "enterprise.unpushBody" : "enterprise.pushBody"),
      ok: t(isPush ? "enterprise.unpush" : "enterprise.push"),
    });
    if (isMeant) await act({ groupid, isPush: !isPush });
  };
}

function ConfigDialog(props: {
  readonly row: EnterpriseRow;
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const { row, open, onClose } = props;
  const t = useEnterpriseTexts();
  return (
    <CallDialog
      endpoint={enterpriseEditConfig}
      open={open}
      width={640}
      title={t("enterprise.configTitle", { name: row.name })}
      initial={{ groupid: row.groupid, nodeConfig: row.nodeConfig }}
      ok={t("act.save")}
      touches={["enterprise"]}
      onClose={onClose}
    >
      <Field name="nodeConfig" kind="remark" help={t("enterprise.configHelp")} />
    </CallDialog>
  );
}

/** Lets the accounts of a disabled enterprise in again. */
function EnableDialog(props: {
  readonly row: EnterpriseRow;
  readonly open: boolean;
  readonly onClose: () => void;
}) {
  const { row, open, onClose } = props;
  const { groupid, name } = row;
  const t = useEnterpriseTexts();
  return (
    <CallDialog
      endpoint={enterpriseEditEn}
      open={open}
      title={t("enterprise.enableTitle", { name })}
      initial={{ groupid, enable: true, oldPsw: null }}
      ok={t("act.enable")}
      touches={[enterprise.name]}
      onClose={onClose}
    >
      <p>{t("enterprise.enableBody", { name })}</p>
      <OwnPassword />
    </CallDialog>
  );
}

/** Turns an enterprise off; the question says for whom that means what. */
function useDisable(t: EnterpriseTexts) {
  const confirm = useConfirm();
  const { act } = useAction(enterpriseEditEn);
  return async ({ name, cpeCount, groupid }: EnterpriseRow): Promise<void> => {
    const isMeant = await confirm({
      title: t("enterprise.disableTitle", { name }),
      body: t("enterprise.disableBody", { name, cpeCount }),
      ok: t("act.disable"),
      danger: true,
    });
    if (isMeant) await act({ groupid, enable: false, oldPsw: null });
  };
}
