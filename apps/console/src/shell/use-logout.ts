import { logout } from "@weft/contract/domains/access/session.ts";
import { call } from "#client/call.ts";
import { takeLogoutAddress } from "#client/logout-address.ts";
import { useSession } from "#client/session.tsx";
import { endSession } from "#client/session-state.ts";
import { useTexts } from "#client/texts.ts";
import { useConfirm } from "#feedback/confirm.tsx";
import { shellMessages } from "./messages.ts";
import { forgetRecent } from "./palette/recent.ts";

/** The server forgets the token too; when it cannot be reached, this browser still does. */
const logOut = async (userId: number): Promise<void> => {
  await call(logout, {}).catch(() => undefined);
  forgetRecent(userId);
  // The next person begins at the start, not where this one was.
  history.replaceState(null, "", "/login");
  endSession();
  const elsewhere = takeLogoutAddress();
  if (elsewhere !== null) location.assign(elsewhere);
};

/** Asks whether to log out, and does it. */
export const useLogOut = (): (() => Promise<void>) => {
  const t = useTexts(shellMessages);
  const { userId } = useSession();
  const confirm = useConfirm();
  return async () => {
    const isMeant = await confirm({
      title: t("shell.logOutTitle"),
      body: t("shell.logOutBody"),
      ok: t("shell.logOut"),
    });
    if (isMeant) await logOut(userId);
  };
};
