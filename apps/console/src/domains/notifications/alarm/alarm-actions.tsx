import {
  alarmEventHandle,
  alarmEventOwn,
  alarmEventOwners,
  alarmEventSnooze,
} from "@weft/contract/domains/notifications/alarm-event.ts";
import Button from "antd/es/button";
import { type ReactNode, useState } from "react";
import { useSession } from "#client/session.tsx";
import { useCall } from "#client/use-call.ts";
import { useAction } from "#feedback/use-action.ts";
import { Field } from "#kernel/form/field.tsx";
import { useDraftContext } from "#kernel/form/use-draft.ts";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { CallDialog } from "#parts/call-dialog.tsx";
import { useAlarmTexts } from "./alarm-text.ts";

/** What an action is about: one alarm, those of a group, or those that are selected. */
export interface Target {
  /** Active ones. */
  readonly ids: readonly number[];
  /** Those that no one has acknowledged. */
  readonly waiting: readonly number[];
  /** One for all; null: none, or several. */
  readonly ownerId: number | null;
  readonly isSnoozed: boolean;
  /** Of a group: what joins it ends its snooze. */
  readonly snoozeKey: string | null;
}

type What = "handle" | "snooze" | "assign";
const hourMs = 3_600_000;
const maxRemark = { ids: [] as number[], remark: "" };

/** Tomorrow at eight, where the reader is. */
function tomorrow(): Date {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, 8);
}

/** Acknowledge, take, assign and snooze, for one alarm or many. @param done after each */
export function useAlarmActions(done: () => void = () => undefined): {
  of(target: Target): RowAction[];
  readonly dialogs: ReactNode;
} {
  const t = useAlarmTexts();
  const { userId } = useSession();
  const action = useAction(alarmEventOwn);
  const snooze = useAction(alarmEventSnooze);
  const [opened, setOpened] = useState<{ what: What; target: Target } | null>(null);
  const open = (what: What, target: Target) => () => setOpened({ what, target });
  const close = (): void => {
    setOpened(null);
    done();
  };
  const take = (ids: readonly number[], ownerId: number | null) => () =>
    void action.act({ ids: [...ids], ownerId }).then(done);
  const wake = (ids: readonly number[]) => () =>
    void snooze.act({ ids: [...ids], until: null, remark: "", snoozeKey: null }).then(done);
  const ofActive = (target: Target): RowAction[] => [
    target.ownerId === userId
      ? { key: "own", label: t("alarm.release"), run: take(target.ids, null) }
      : { key: "own", label: t("alarm.take"), run: take(target.ids, userId) },
    target.isSnoozed
      ? { key: "snooze", label: t("alarm.wake"), run: wake(target.ids) }
      : { key: "snooze", label: t("alarm.snooze"), run: open("snooze", target) },
    { key: "assign", label: t("alarm.assign"), run: open("assign", target) },
  ];
  return {
    of: (target) => [
      ...(target.waiting.length > 0
        ? [{ key: "handle", label: t("alarm.handle"), run: open("handle", target) }]
        : []),
      ...(target.ids.length > 0 ? ofActive(target) : []),
    ],
    dialogs: opened && <Dialog what={opened.what} target={opened.target} onClose={close} />,
  };
}

interface DialogProps {
  readonly what: What;
  readonly target: Target;
  readonly onClose: () => void;
}

function Dialog({ what, target, onClose }: DialogProps) {
  const t = useAlarmTexts();
  const { ids, waiting, snoozeKey } = target;
  const shared = { open: true, touches: ["alarmEvent"], onClose };
  if (what === "handle") {
    return (
      <CallDialog
        {...shared}
        endpoint={alarmEventHandle}
        title={t("alarm.handleTitle", { count: waiting.length })}
        initial={{ ...maxRemark, ids: [...waiting] }}
        ok={t("alarm.handle")}
      >
        <Field name="remark" help={t("alarm.handleHelp")} />
      </CallDialog>
    );
  }
  if (what === "assign") {
    return (
      <CallDialog
        {...shared}
        endpoint={alarmEventOwn}
        title={t("alarm.assignTitle", { count: ids.length })}
        initial={{ ids: [...ids], ownerId: target.ownerId }}
        ok={t("alarm.assign")}
      >
        <OwnerField />
      </CallDialog>
    );
  }
  return (
    <CallDialog
      {...shared}
      endpoint={alarmEventSnooze}
      title={t("alarm.snoozeTitle", { count: ids.length })}
      initial={{ ids: [...ids], until: new Date(Date.now() + hourMs), remark: "", snoozeKey }}
      ok={t("alarm.snooze")}
    >
      <SnoozeFields />
    </CallDialog>
  );
}

function OwnerField() {
  const t = useAlarmTexts();
  const { data } = useCall(alarmEventOwners, { name: null });
  const options = (data ?? []).map(({ id, loginName, name }) => ({
    value: id,
    label: name === "" ? loginName : `${name} (${loginName})`,
  }));
  return (
    <Field
      name="ownerId"
      kind="select"
      label={t("alarm.owner")}
      options={options}
      help={t("alarm.assignHelp")}
    />
  );
}

function SnoozeFields() {
  const t = useAlarmTexts();
  const form = useDraftContext();
  const presets = [
    { label: t("alarm.hours", { count: 1 }), at: () => new Date(Date.now() + hourMs) },
    { label: t("alarm.hours", { count: 4 }), at: () => new Date(Date.now() + 4 * hourMs) },
    { label: t("alarm.tomorrow"), at: tomorrow },
  ];
  return (
    <>
      <div className="w-row-actions">
        {presets.map(({ label, at }) => (
          <Button key={label} size="small" onClick={() => form.set("until", at())}>
            {label}
          </Button>
        ))}
      </div>
      <Field name="until" required label={t("alarm.untilField")} />
      <Field name="remark" help={t("alarm.snoozeHelp")} />
    </>
  );
}
