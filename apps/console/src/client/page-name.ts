/** Names of what pages are about, for the tabs, the way in the head, and the title of the document. */
import { useEffect, useSyncExternalStore } from "react";

interface Names {
  /** By the path that stands for the page in tabs and way. */
  readonly byPath: ReadonlyMap<string, string>;
  /** Of the page that is open; null: it has none. */
  readonly open: string | null;
}

let names: Names = { byPath: new Map(), open: null };
const listeners = new Set<() => void>();

const change = (next: Names): void => {
  names = next;
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Where a name is kept that is for the tabs alone: the way in the head has the path itself. */
export const inTabs = (path: string): string => `tab:${path}`;

/** Names the open page; null: its name is not known yet. A tab keeps the last name. */
export const useNameOfPage = (path: string, name: string | null): void => {
  useEffect(() => {
    if (name === null) return;
    change({ byPath: new Map(names.byPath).set(path, name), open: name });
    return () => change({ ...names, open: null });
  }, [path, name]);
};

/**
 * Names the open page in several places at once, as long as it is open: a tab that it shares with others is called
 * as they are afterwards.
 */
export const useNameWhileOpen = (at: readonly string[], name: string | null): void => {
  const key = at.join(" ");
  useEffect(() => {
    if (name === null) return;
    const places = key.split(" ");
    const byPath = new Map(names.byPath);
    for (const path of places) byPath.set(path, name);
    change({ byPath, open: name });
    return () => {
      const rest = new Map(names.byPath);
      for (const path of places) rest.delete(path);
      change({ byPath: rest, open: null });
    };
  }, [key, name]);
};

const read = (): Names => names;

/** All names of now. */
export const usePageNames = (): Names => useSyncExternalStore(subscribe, read, read);

/** Forgets them: the next session may not see what the last one did. */
export const forgetPageNames = (): void => change({ byPath: new Map(), open: null });
