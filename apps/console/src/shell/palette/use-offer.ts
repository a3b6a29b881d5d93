import { useMemo } from "react";
import { useNavigate } from "react-router";
import { useCurrentLanguage } from "#client/language.ts";
import { isExternal } from "#client/menus.ts";
import { paths, withSearch } from "#client/paths.ts";
import { useMay, useSession } from "#client/session.tsx";
import { shownMenus } from "#shell/menu-tree.ts";
import { type Choice, found, type Group, kinds } from "./choice.ts";
import { type Recent, readRecent } from "./recent.ts";
import { screensOf } from "./screens.ts";
import { useActions } from "./use-actions.ts";
import { maxRows, type Rows, useRows } from "./use-rows.ts";

/** Screens and actions that a text shows at most. */
const maxOffers = 8;

/** Goes to a screen; one outside of the console opens a window of its own. */
const useGo = (): ((path: string) => void) => {
  const navigate = useNavigate();
  return (path) => {
    if (isExternal(path)) window.open(path, "_blank", "noopener,noreferrer");
    else void navigate(path);
  };
};

type Row = Omit<Choice, "run">;

/** Where a row leads: the page of a device, the list with this one enterprise. */
const pathOf = ({ id, kind, title }: Pick<Row, "id" | "kind" | "title">): string | null => {
  const number = Number(id.slice(id.indexOf(":") + 1));
  if (kind === "cpe") return paths.cpeDetail(number);
  if (kind === "pop") return paths.popDetail(number);
  return kind === "enterprise" ? withSearch(paths.enterprise(), { name: title }) : null;
};

/** What was selected last, as far as it is still offered. */
const recentOf = (
  kept: readonly Recent[],
  here: readonly Choice[],
  toRow: (row: Row) => Choice | null,
): Choice[] =>
  kept.flatMap((one) => {
    const choice = here.find(({ id }) => id === one.id) ?? toRow({ ...one, other: "" });
    return choice ? [choice] : [];
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
  const toRow = (row: Row): Choice | null => {
    const path = pathOf(row);
    return path === null ? null : { ...row, run: () => go(path) };
  };
  const here = [...screens, ...actions];
  const recent = text === "" ? recentOf(kept, here, toRow) : [];
  const all = [...here, ...rows.choices.flatMap((row) => toRow(row) ?? [])];
  const isRecent = (choice: Choice): boolean => recent.some(({ id }) => id === choice.id);
  const groups = kinds.map((kind): Group => {
    const ofKind = all.filter((choice) => choice.kind === kind && !isRecent(choice));
    if (text !== "") {
      const most = kind === "screen" || kind === "action" ? maxOffers : maxRows;
      return { key: kind, choices: found(ofKind, text, most) };
    }
    return { key: kind, choices: kind === "screen" || kind === "action" ? ofKind : [] };
  });
  const shown: Group[] = [{ key: "recent", choices: recent }, ...groups];
  const { isSearching, error, retry } = rows;
  return { groups: shown.filter(({ choices }) => choices.length > 0), isSearching, error, retry };
};
