import type { ViewName } from "@weft/contract/menu.ts";
import type { ComponentType } from "react";

/** Fetches the screen of a view key; its file is fetched when the user goes there. */
export type Load = () => Promise<{ default: ComponentType }>;

/** Screens of some of the view keys. */
export type Views = Readonly<Partial<Record<ViewName, Load>>>;

/**
 * The first calls of a screen, by the query of its address: requests as the wire has them, which are sent while the code of
 * the screen is fetched. What the screen then asks for is the same, or it is asked once more.
 */
export type FirstCalls = (search: URLSearchParams) => readonly string[];

/** First calls of some of the view keys. */
export type FirstCallsByView = Readonly<Partial<Record<ViewName, FirstCalls>>>;

/** Parts of an address that are no input of its list. */
const notAsked = new Set(["open", "sort", "page", "limit"]);

/** A call with what the address of its list filters by. */
export const filteredCall = (
  path: string,
  search: URLSearchParams,
  fixed: Readonly<Record<string, string>> = {},
): string => {
  const filters = [...search].filter(([name]) => !notAsked.has(name));
  return `${path}?${new URLSearchParams([...filters, ...Object.entries(fixed)])}`;
};

/**
 * The page of a list that its address says (`kernel/list/list-url.ts`). An order that a person chose is not sent ahead.
 * @param size name of the field of the size
 */
export const listCall =
  (path: string, fixed: Readonly<Record<string, string>> = {}, size = "limit"): FirstCalls =>
  (search) => {
    if (search.has("sort")) return [];
    const paging = { page: search.get("page") ?? "1", [size]: search.get("limit") ?? "10" };
    return [filteredCall(path, search, { ...paging, ...fixed })];
  };
