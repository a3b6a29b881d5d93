import { formatMessage } from "@weft/contract/kernel/message.ts";
import { useMemo } from "react";
import { useNavigate } from "react-router";
import { useDisplay } from "#client/display.ts";
import { chooseLanguage, useCurrentLanguage } from "#client/language.ts";
import { isExternal, mayOf } from "#client/menus.ts";
import { paths } from "#client/paths.ts";
import { useMay, useSession } from "#client/session.tsx";
import { showKeys } from "#shell/keys/keys-shown.ts";
import { nodeAt, shownMenus } from "#shell/menu-tree.ts";
import { useChangeDisplay } from "#shell/use-change-display.ts";
import { useLogOut } from "#shell/use-logout.ts";
import { type Choice, type Group, kinds, matchingChoices } from "./choice.ts";
import { actionTitles, verbTitles } from "./messages.ts";
import { type Recent, readRecent } from "./recent.ts";
import { screensOf } from "./screens.ts";
import { type RowChoice, type Rows, useRows } from "./use-rows.ts";
import { verbs } from "./verbs.ts";

/** What the shell can do for anybody. @param go opens a path */
const useActions = (go: (path: string) => void): Choice[] => {
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

/** Screens, actions and rows of an earlier text that are shown at most. */
const maxOffers = 8;

/** Goes to a screen; one outside of the console opens a window of its own. */
const useGo = (): ((path: string) => void) => {
  const navigate = useNavigate();
  return (path) => {
    if (isExternal(path)) window.open(path, "_blank", "noopener,noreferrer");
    else void navigate(path);
  };
};

/** What can be done with a row, by this user: the first opens it. None: it leads nowhere for them. */
const useVerbsOf = (go: (path: string) => void): ((row: RowChoice) => Choice[]) => {
  const { menus } = useSession();
  const may = useMay();
  const language = useCurrentLanguage();
  const second = language === "zh_cn" ? "en_gb" : "zh_cn";
  return ({ kind, id, title }) => {
    const number = Number(id.slice(id.indexOf(":") + 1));
    return verbs[kind]({ id: number, title }).flatMap(([key, path]): Choice[] => {
      const node = nodeAt(menus, path.split("?")[0] ?? "");
      if (!node || !may(mayOf(node.path))) return [];
      return [
        {
          id: `${id}:${key}`,
          kind,
          note: "",
          title: formatMessage(verbTitles[key], language),
          other: formatMessage(verbTitles[key], second),
          run: () => go(path),
        },
      ];
    });
  };
};

/** What was selected last, as far as it is still offered. */
const recentOf = (
  kept: readonly Recent[],
  here: readonly Choice[],
  toRow: (row: RowChoice) => Choice[],
): Choice[] =>
  kept.flatMap((recent) => {
    const screen = here.find(({ id }) => id === recent.id);
    if (screen) return [screen];
    const { kind } = recent;
    return kind === "screen" || kind === "action" ? [] : toRow({ ...recent, kind, other: "" });
  });

export interface Offer extends Pick<Rows, "isSearching" | "error" | "retry"> {
  readonly groups: readonly Group[];
}

/** What the palette offers for a text (trimmed); without one: the last choices, then all there is. */
export const useOffer = (text: string): Offer => {
  const { menus, userId } = useSession();
  const may = useMay();
  const language = useCurrentLanguage();
  const go = useGo();
  const rows = useRows(text);
  const actions = useActions(go);
  const screens = screensOf(shownMenus(menus), { language, may, go });
  const kept = useMemo(() => readRecent(userId), [userId]);
  const verbsOf = useVerbsOf(go);
  const toRow = (row: RowChoice): Choice[] => {
    const choices = verbsOf(row);
    return choices[0] ? [{ ...row, run: choices[0].run, verbs: choices }] : [];
  };
  const here = [...screens, ...actions];
  const recent = text === "" ? recentOf(kept, here, toRow) : [];
  const all = [...here, ...rows.choices.flatMap(toRow)];
  const isRecent = (choice: Choice): boolean => recent.some(({ id }) => id === choice.id);
  const groups = kinds.map((kind): Group => {
    const ofKind = all.filter((choice) => choice.kind === kind && !isRecent(choice));
    if (text !== "") {
      // Rows were found by the server, also by what is not shown of them; those of an earlier text are tried again.
      const isFound = kind !== "screen" && kind !== "action" && !rows.isOfBefore;
      return { key: kind, choices: isFound ? ofKind : matchingChoices(ofKind, text, maxOffers) };
    }
    return { key: kind, choices: kind === "screen" || kind === "action" ? ofKind : [] };
  });
  const shown: Group[] = [{ key: "recent", choices: recent }, ...groups];
  const { isSearching, error, retry } = rows;
  return { groups: shown.filter(({ choices }) => choices.length > 0), isSearching, error, retry };
};
