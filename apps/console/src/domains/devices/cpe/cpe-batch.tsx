import { cpeSaveEnable } from "@weft/contract/domains/devices/cpe-actions.ts";
import { cpeBatchEnable, cpeBatchRemove } from "@weft/contract/domains/devices/cpe-batch.ts";
import { type ReactNode, useState } from "react";
import { useConfirm } from "#feedback/confirm.tsx";
import { later, OpenedLater } from "#feedback/later.tsx";
import { useAction } from "#feedback/use-action.ts";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import type { Target } from "#parts/batch/target.ts";
import { type Batches, type Question, useBatch } from "#parts/batch/use-batch.tsx";
import { type CpeRow, type CpeTexts, useCpeTexts } from "./cpe-texts.ts";

// What works on many rows is opened now and then: the list itself does not wait for it.
const dialogs = {
  settings: later(async () => (await import("./batch-settings.tsx")).BatchSettings),
  join: later(async () => (await import("./batch-dialogs.tsx")).JoinDialog),
  move: later(async () => (await import("./batch-dialogs.tsx")).MoveDialog),
  reboot: later(async () => (await import("./batch-dialogs.tsx")).BatchRebootDialog),
} as const;
type DialogName = keyof typeof dialogs;

const namesOf = (rows: readonly CpeRow[], count: number, t: CpeTexts): string => {
  const named = rows.slice(0, 5).map(({ alias }) => alias);
  return `${t.list(named)}${count > named.length ? " …" : ""}`;
};

interface Selected {
  readonly target: Target;
  /** Of the target, as far as they were on screen. */
  readonly rows: readonly CpeRow[];
  /** Enterprise that the list is filtered by. */
  readonly groupid: number | null;
  readonly clear: () => void;
}

/** Actions on selected CPEs; those without permission are left out. */
export function useCpeBatch(selected: Selected): { actions: RowAction[]; dialogs: ReactNode } {
  const { target, rows, clear } = selected;
  const { count } = target;
  const t = useCpeTexts();
  const batches = useBatch(["cpe", "nodeState", "enterprise", "task", "netSpace", "cfgInit"]);
  const [dialogName, setDialogName] = useState<DialogName | null>(null);
  const question = (verb: "disable" | "remove") => ({
    title: t(`batch.${verb}Title`, { count }),
    body: t(`batch.${verb}Body`, { names: namesOf(rows, count, t) }),
    ok: t(`act.${verb}`),
  });
  const turn = useTurn(selected, batches);
  const gone = { onStarted: clear, question: question("remove") };
  const actions: RowAction[] = [
    {
      key: "enable",
      label: t("act.enable"),
      may: "cpeBatch",
      run: () => void turn(true),
    },
    {
      key: "disable",
      label: t("act.disable"),
      may: "cpeBatch",
      run: () => void turn(false, question("disable")),
    },
    ...(["settings", "join", "move", "reboot"] as const).map((key) => ({
      key,
      label: t(`batch.${key}`),
      may: needed[key],
      run: () => setDialogName(key),
    })),
    {
      key: "remove",
      label: t("act.remove"),
      may: "cpeRemove",
      danger: true,
      run: () => void batches.start(cpeBatchRemove, target, gone),
    },
  ];
  const Dialog = dialogName && dialogs[dialogName];
  const onStarted = ({ id }: { readonly id: number }): void => {
    clear();
    batches.show(id);
  };
  return {
    actions,
    dialogs: (
      <>
        {batches.dialog}
        <OpenedLater open={Dialog !== null} onClose={() => setDialogName(null)}>
          {Dialog && (
            <Dialog
              target={target}
              groupid={selected.groupid}
              onStarted={onStarted}
              onClose={() => setDialogName(null)}
            />
          )}
        </OpenedLater>
      </>
    ),
  };
}

/** Enables or disables: one CPE by the call of its own, which names the device that the person saw. */
function useTurn({ target, rows, clear }: Selected, batches: Batches) {
  const confirm = useConfirm();
  const { act } = useAction(cpeSaveEnable, { touches: ["nodeState", "enterprise", "task"] });
  return async (enable: boolean, question?: Question): Promise<void> => {
    const [only, another] = rows;
    if (only === undefined || another !== undefined || target.count !== 1) {
      const start = { fields: { setEnable: enable }, onStarted: clear };
      return batches.start(cpeBatchEnable, target, { ...start, ...(question && { question }) });
    }
    if (question && !(await confirm({ ...question, danger: true }))) return;
    if (await act({ id: only.id, enable, hostid: only.hostid ?? "" })) clear();
  };
}

const needed = {
  settings: "cpeBatch",
  join: "netSpaceEdit",
  move: "cpeEdit",
  reboot: "cpeReboot",
} as const;
