/** Screens that `g` and a letter lead to. */
import type { ServerMenuNode } from "@weft/contract/domains/access/session.ts";
import type { Language } from "@weft/contract/kernel/message.ts";
import { entrance } from "#client/entrance.ts";
import { paths } from "#client/paths.ts";
import { nodeAt, titleOf } from "#shell/menu-tree.ts";

/** The first screen, whichever that is for a person. */
export const homeKey = "w";

const keys: Readonly<Record<string, string>> = {
  c: paths.cpe(),
  p: paths.pop(),
  e: paths.enterprise(),
  n: paths.enrolment(),
  m: paths.account(),
  s: paths.netSpace(),
  l: paths.links(),
  i: paths.circuits(),
  q: paths.acceleration(),
  t: entrance.templates,
  y: paths.topology(),
  a: paths.alarms(),
  k: paths.linkMonitor(),
  d: paths.dealRecord(),
  u: paths.user(),
  r: paths.role(),
  o: paths.operaRecord(),
};

export interface GoPage {
  readonly key: string;
  readonly path: string;
  readonly title: string;
}

interface About {
  readonly language: Language;
  /** Path of the first screen. */
  readonly home: string;
  /** Paths of the screens that the user is offered (palette/screens.ts). */
  readonly offered: ReadonlySet<string>;
}

/** The screens with a letter of a person whose menus these are; no others have one. */
export const goPages = (
  menus: readonly ServerMenuNode[],
  { language, home, offered }: About,
): GoPage[] => {
  const known = Object.entries(keys).filter(([, path]) => offered.has(path));
  return [[homeKey, home] as const, ...known].flatMap(([key, path]) => {
    const node = nodeAt(menus, path);
    return node ? [{ key, path, title: titleOf(node, language) }] : [];
  });
};
