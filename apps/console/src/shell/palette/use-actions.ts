import { formatMessage } from "@weft/contract/kernel/message.ts";
import { useDisplay } from "#client/display.ts";
import { chooseLanguage, useCurrentLanguage } from "#client/language.ts";
import { paths } from "#client/paths.ts";
import { showKeys } from "#shell/keys/keys-shown.ts";
import { useChangeDisplay } from "#shell/use-change-display.ts";
import { useLogOut } from "#shell/use-logout.ts";
import type { Choice } from "./choice.ts";
import { actionTitles } from "./messages.ts";

/** What the shell can do for anybody. @param go opens a path */
export const useActions = (go: (path: string) => void): Choice[] => {
  const language = useCurrentLanguage();
  const second = language === "zh_cn" ? "en_gb" : "zh_cn";
  const { darkMode } = useDisplay();
  const change = useChangeDisplay();
  const logOut = useLogOut();
  const action = (key: keyof typeof actionTitles, run: () => void): Choice => ({
    id: `action:${key}`,
    kind: "action",
    note: "",
    run,
    title: formatMessage(actionTitles[key], language),
    other: formatMessage(actionTitles[key], second),
  });
  return [
    action("info", () => go(paths.userInfo())),
    action("message", () => go(paths.userMessage())),
    action(darkMode ? "light" : "dark", () => change({ darkMode: !darkMode })),
    action("language", () => chooseLanguage(second)),
    action("keys", () => showKeys(true)),
    action("out", () => void logOut()),
  ];
};
