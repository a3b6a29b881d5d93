/** What of a URL a resolver can deny: a whole host, whatever is asked of it. Pure. */
import { isDomain } from "#rules/host.ts";

/**
 * Why a URL does not mean a whole host that has a name. `part`: it names a port, a path or a query of it. `address`:
 * hosts reach it without asking for a name.
 */
export type UrlObstacle = "part" | "address";

/** The host of a URL by its name. */
export interface UrlHost {
  /** In lower case; "*.example.com": all names below it. */
  readonly name: string;
  /** It says by which scheme the host is reached, and a name is denied for all of them. */
  readonly hasScheme: boolean;
}

const parts = /^(?<scheme>https?:\/\/)?(?<host>\[[^\]]*\]|[^/:?#]+)(?<rest>.*)$/is;

/**
 * @param url with or without a scheme
 * @param isHostOnly whether its host alone is meant, whatever else it names
 */
export const urlHostOf = (url: string, isHostOnly = false): UrlHost | UrlObstacle => {
  const { scheme, host = "", rest = "" } = parts.exec(url)?.groups ?? {};
  if (!isDomain(host.replace(/^\*\./, ""))) return "address";
  if (!isHostOnly && rest !== "" && rest !== "/") return "part";
  return { name: host.toLowerCase(), hasScheme: !isHostOnly && scheme !== undefined };
};

/** Names of those that mean a whole host, each once and sorted. */
export const urlNames = (
  urls: readonly { readonly url: string; readonly isHostOnly: boolean }[],
): string[] => {
  const names = urls.flatMap(({ url, isHostOnly }) => {
    const host = urlHostOf(url, isHostOnly);
    return typeof host === "string" ? [] : host.name;
  });
  return [...new Set(names)].sort();
};
