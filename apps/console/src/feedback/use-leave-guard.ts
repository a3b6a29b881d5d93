import { useCallback, useEffect, useRef } from "react";
import { useBlocker } from "react-router";
import { useTexts } from "#client/texts.ts";
import { useConfirm } from "./confirm.tsx";

/**
 * Asks before unsaved changes are left behind, and names them.
 * @param names what the changed fields are called; empty: nothing to lose.
 * @returns `leave` asks and then does; `release` lets the next navigation pass (after saving), and takes a question back
 *   that was handled before.
 */
export const useLeaveGuard = (
  names: readonly string[],
): { leave(go: () => void): Promise<void>; release(): void } => {
  const t = useTexts();
  const confirm = useConfirm();
  const isFree = useRef(false);
  // One question at a time; what was saved meanwhile needs no answer any more.
  const open = useRef<AbortController | null>(null);
  const isDirty = names.length > 0;
  const confirmLeave = useCallback(async (): Promise<boolean> => {
    if (open.current) return false;
    const controller = new AbortController();
    open.current = controller;
    try {
      return await confirm({
        title: t("form.leaveTitle"),
        body: t("form.changed", { count: names.length, names: t.list(names) }),
        ok: t("form.leave"),
        cancel: t("form.stay"),
        danger: true,
        signal: controller.signal,
      });
    } finally {
      open.current = null;
    }
  }, [confirm, names, t]);
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      isDirty && !isFree.current && (from.pathname !== to.pathname || from.search !== to.search),
  );
  const handled = useRef<typeof blocker | null>(null);
  useEffect(() => {
    if (blocker.state !== "blocked" || handled.current === blocker) return;
    handled.current = blocker;
    void confirmLeave().then((isMeant) =>
      isMeant || isFree.current ? blocker.proceed() : blocker.reset(),
    );
  }, [blocker, confirmLeave]);
  useEffect(() => {
    if (!isDirty) return;
    const hold = (event: BeforeUnloadEvent): void => {
      if (!isFree.current) event.preventDefault();
    };
    addEventListener("beforeunload", hold);
    return () => removeEventListener("beforeunload", hold);
  }, [isDirty]);
  const release = useCallback(() => {
    isFree.current = true;
    open.current?.abort();
  }, []);
  const leave = async (go: () => void): Promise<void> => {
    // A saved form that is still closing may be asked to close once more.
    if (isFree.current) return;
    if (isDirty && !(await confirmLeave())) return;
    release();
    go();
  };
  return { leave, release };
};
