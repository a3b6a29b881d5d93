/** The route guard of section 2.2, as far as it needs no router. */
import { entrance } from "#client/entrance.ts";

/** Paths that open without a token: whole paths, nothing below them. */
const open: ReadonlySet<string> = new Set([
  ...Object.values(entrance),
  // So that a page about an error never leads on to the login and back.
  "/exception/403",
  "/exception/404",
  "/exception/500",
]);

export const opensWithoutToken = (pathname: string): boolean => open.has(pathname);

/** Whether the login is what this address shows without a token. */
export const showsLogin = (pathname: string): boolean =>
  pathname === entrance.login || !opensWithoutToken(pathname);

/** The login, which remembers the page that was wanted. */
export const loginFor = (pathname: string, search: string): string =>
  pathname === "/" || pathname === "/login"
    ? "/login"
    : `/login?from=${encodeURIComponent(pathname + search)}`;

/** The page that was wanted before the login; only paths of this console. */
export const wantedPath = (search: string, home: string): string => {
  const from = new URLSearchParams(search).get("from") ?? "";
  // Browsers read `/\\host` as another site: what they would make of it decides, not its text.
  const here = "http://here.invalid";
  const to = URL.canParse(from, here) ? new URL(from, here) : null;
  const isOurs = from.startsWith("/") && to?.origin === here;
  return isOurs && !to.pathname.startsWith("/login") ? `${to.pathname}${to.search}` : home;
};

/** A token that came with the address, and the address without it. */
interface Brought {
  readonly token: string;
  readonly address: string;
}

/** null: this address brings none. */
export const broughtToken = (pathname: string, search: string, hash: string): Brought | null => {
  const params = new URLSearchParams(search);
  const token = params.get("token");
  if (pathname !== entrance.templates || token === null) return null;
  params.delete("token");
  return { token, address: `${pathname}${params.size > 0 ? `?${params}` : ""}${hash}` };
};
