import { type NavigateOptions, useLocation, useNavigation, useSearchParams } from "react-router";

type Change = (next: (now: URLSearchParams) => URLSearchParams, options?: NavigateOptions) => void;

/**
 * The search of the address and how to change it. A change begins with the address as it is; the
 * router's own setter starts with what was rendered last, so that of two changes in quick succession
 * (a filter that was typed, a form that was then opened) the first would be lost. While another screen
 * is loaded nothing changes: the change would lead back to the screen that is being left.
 */
export const useSearch = (): readonly [URLSearchParams, Change] => {
  const [search, setSearch] = useSearchParams();
  const { pathname } = useLocation();
  const { location: upcoming } = useNavigation();
  const isLeft = upcoming !== undefined && upcoming.pathname !== pathname;
  const change: Change = (next, options) => {
    if (!isLeft) setSearch(next(new URLSearchParams(window.location.search)), options);
  };
  return [search, change];
};

/** The address with this parameter replaced, on its first page: a changed filter has other pages. */
export const withParam =
  (name: string, value: string) =>
  (now: URLSearchParams): URLSearchParams => {
    const next = new URLSearchParams(now);
    next.set(name, value);
    next.delete("page");
    return next;
  };
