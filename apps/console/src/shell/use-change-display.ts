import { useCallback } from "react";
import { changeDisplay } from "#client/display.ts";
import { useTexts } from "#client/texts.ts";
import { useToast } from "#feedback/toast.tsx";
import { shellMessages } from "./messages.ts";

/** Changes how the console looks; says that a colour is being fetched, and when it could not be. */
export const useChangeDisplay = (): ((change: Parameters<typeof changeDisplay>[0]) => void) => {
  const t = useTexts(shellMessages);
  const toast = useToast();
  return useCallback(
    (change) => {
      const isFetched = "color" in change || "darkMode" in change;
      const hide = isFetched ? toast.busy(t("shell.loadingTheme")) : undefined;
      void changeDisplay(change)
        .catch(() => toast.hint(t("shell.themeFailed")))
        .finally(hide);
    },
    [t, toast],
  );
};
