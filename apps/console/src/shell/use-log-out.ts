import { logout } from "@weft/contract/calls/session.ts";
import { call } from "#kernel/call.ts";
import { useConfirm } from "#kernel/feedback/confirm.tsx";
import { endSession } from "#kernel/session-state.ts";
import { useTexts } from "#kernel/texts.ts";
import { shellMessages } from "./messages.ts";

/** The server forgets the token too; when it cannot be reached, this browser still does. */
const logOut = async (): Promise<void> => {
  await call(logout, {}).catch(() => undefined);
  // The next person begins at the start, not where this one was.
  history.replaceState(null, "", "/login");
  endSession();
};

/** Asks whether to log out, and does it. */
export const useLogOut = (): (() => Promise<void>) => {
  const t = useTexts(shellMessages);
  const confirm = useConfirm();
  return async () => {
    const isMeant = await confirm({
      title: t("shell.logOutTitle"),
      body: t("shell.logOutBody"),
      ok: t("shell.logOut"),
    });
    if (isMeant) await logOut();
  };
};
