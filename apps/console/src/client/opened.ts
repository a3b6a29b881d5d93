import { useSearch } from "./search.ts";

export interface Opened {
  readonly what: string;
  readonly id: number | null;
}

const paramName = "open";

/** Reads "edit-12" or "add". */
export const readOpened = (text: string | null): Opened | null => {
  const match = /^([a-zA-Z]+)(?:-([1-9]\d{0,15}))?$/.exec(text ?? "");
  if (!match?.[1]) return null;
  return { what: match[1], id: match[2] === undefined ? null : Number(match[2]) };
};

/**
 * Which drawer or dialog of the page is open, kept in its address (`?open=edit-12`): a copied
 * address opens it again, and "back" closes it.
 */
export const useOpened = (): {
  readonly opened: Opened | null;
  open(what: string, id?: number): void;
  close(): void;
} => {
  const [search, changeSearch] = useSearch();
  const change = (text: string | null, isReplaced: boolean): void =>
    changeSearch(
      (now) => {
        const next = new URLSearchParams(now);
        if (text === null) next.delete(paramName);
        else next.set(paramName, text);
        return next;
      },
      { replace: isReplaced, preventScrollReset: true },
    );
  return {
    opened: readOpened(search.get(paramName)),
    open: (what, id) => change(id === undefined ? what : `${what}-${id}`, false),
    close: () => change(null, true),
  };
};
