import { cpeSaveEnable } from "@weft/contract/calls/cpe-actions.ts";
import { cpe } from "@weft/contract/resources/cpe.ts";
import { lazy, Suspense, useRef, useState } from "react";
import { CallError, call } from "#kernel/call.ts";
import { useConfirm } from "#kernel/feedback/confirm.tsx";
import type { RowAction } from "#kernel/list/row-actions.tsx";
import { useInvalidate } from "#kernel/use-action.ts";
import type { Job } from "./cpe-job-dialog.tsx";
import { type CpeRow, useSiteTexts } from "./cpe-texts.ts";

// What works on many rows is opened now and then: the list itself does not wait for it.
const JobDialog = lazy(async () => ({
  default: (await import("./cpe-job-dialog.tsx")).JobDialog,
}));
const BatchSettings = lazy(async () => ({
  default: (await import("./batch-settings.tsx")).BatchSettings,
}));

const namesOf = (rows: readonly CpeRow[]): string => {
  const named = rows.slice(0, 5).map(({ alias }) => alias);
  return `${named.join(", ")}${rows.length > named.length ? " …" : ""}`;
};

/** Runs one call a CPE, shows how far it is, and in the end which failed and why. */
function useJob() {
  const [job, setJob] = useState<Job | null>(null);
  const halted = useRef(false);
  const invalidate = useInvalidate();
  const run = async (
    title: string,
    rows: readonly CpeRow[],
    each: (row: CpeRow) => Promise<unknown>,
  ): Promise<void> => {
    halted.current = false;
    let now: Job = { title, all: rows.length, done: 0, isOver: false, failed: [] };
    setJob(now);
    for (const row of rows) {
      if (halted.current) break;
      try {
        await each(row);
        now = { ...now, done: now.done + 1 };
      } catch (error) {
        const why = error instanceof CallError ? error.message : String(error);
        now = { ...now, failed: [...now.failed, { id: row.id, name: row.alias, why }] };
      }
      setJob(now);
    }
    setJob({ ...now, isOver: true });
    invalidate("cpe", "nodeState", "enterprise", "task");
  };
  return { job, run, halt: () => (halted.current = true), close: () => setJob(null) };
}

/** What can be done with chosen CPEs; deleting them is not there without its permission. */
export function useCpeBatch() {
  const t = useSiteTexts();
  const confirm = useConfirm();
  const { job, run, halt, close } = useJob();
  const [edited, setEdited] = useState<readonly CpeRow[] | null>(null);
  const switchTo = (enable: boolean) => (row: CpeRow) =>
    // Of the box that the person saw: another one that serves the CPE by now is not meant.
    call(cpeSaveEnable, { id: row.id, enable, hostid: row.hostid ?? "" });
  const disable = async (rows: readonly CpeRow[]): Promise<void> => {
    const isMeant = await confirm({
      title: t("batch.disableTitle", { count: rows.length }),
      body: t("batch.disableBody", { names: namesOf(rows) }),
      ok: t("act.disable"),
      danger: true,
    });
    if (isMeant) await run(t("batch.disabling"), rows, switchTo(false));
  };
  const remove = async (rows: readonly CpeRow[]): Promise<void> => {
    const isMeant = await confirm({
      title: t("batch.removeTitle", { count: rows.length }),
      body: t("batch.removeBody", { names: namesOf(rows) }),
      ok: t("act.remove"),
      danger: true,
      typed: rows.length > 20 ? String(rows.length) : null,
    });
    if (isMeant) {
      await run(t("batch.removing"), rows, (row) => call(cpe.ops.remove, { ids: [row.id] }));
    }
  };
  const actions = (rows: readonly CpeRow[]): RowAction[] => [
    {
      key: "enable",
      label: t("act.enable"),
      may: "cpeBatch",
      run: () => void run(t("batch.enabling"), rows, switchTo(true)),
    },
    { key: "settings", label: t("batch.settings"), may: "cpeBatch", run: () => setEdited(rows) },
    { key: "disable", label: t("act.disable"), may: "cpeBatch", run: () => void disable(rows) },
    {
      key: "remove",
      label: t("act.remove"),
      may: "cpeRemove",
      danger: true,
      run: () => void remove(rows),
    },
  ];
  const dialogs = (
    <Suspense>
      {job && <JobDialog job={job} onHalt={halt} onClose={close} />}
      {edited && <BatchSettings rows={edited} onClose={() => setEdited(null)} />}
    </Suspense>
  );
  return { actions, progress: dialogs };
}
