import type { ServerMenuNode } from "@weft/contract/domains/access/session.ts";
import type { Language } from "@weft/contract/kernel/message.ts";
import type { Needed } from "@weft/contract/permissions.ts";
import { isExternal, isSearched, mayOf } from "#client/menus.ts";
import { titleOf } from "#shell/menu-tree.ts";
import type { Choice } from "./choice.ts";

interface About {
  readonly language: Language;
  may(code: Needed | null): boolean;
  go(path: string): void;
}

const opens = ({ path, url }: ServerMenuNode): boolean =>
  path !== "" && (url !== "" || isExternal(path));

/**
 * The screens that a user's menus offer, in the menus' order, each with its branch; and those that no menu
 * shows and that need no id.
 */
export const screensOf = (
  nodes: readonly ServerMenuNode[],
  about: About,
  way: readonly string[] = [],
): Choice[] =>
  nodes
    .filter((node) => !node.hide || isSearched(node.path))
    .flatMap((node) => {
      const title = titleOf(node, about.language);
      const other = titleOf(node, about.language === "zh_cn" ? "en_gb" : "zh_cn");
      const below = screensOf(node.children, about, [...way, title]);
      if (!opens(node) || !about.may(mayOf(node.path))) return below;
      const id = `screen:${node.path}`;
      const note = way.join(" / ");
      const run = (): void => about.go(node.path);
      return [
        { id, kind: "screen", title, other: other === title ? "" : other, note, run },
        ...below,
      ];
    });

/** Whether the menus offer a screen, whatever branch it is in. */
export const hasScreen = (nodes: readonly ServerMenuNode[], path: string): boolean =>
  nodes.some((node) => !node.hide && (node.path === path || hasScreen(node.children, path)));
