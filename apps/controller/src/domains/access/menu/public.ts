import type { ServerMenuNode } from "@weft/contract/domains/access/session.ts";
import { neededFor } from "@weft/contract/grants.ts";
import type { MenuNode } from "@weft/contract/kernel/menu.ts";
import { menu } from "@weft/contract/menu.ts";
import { holds, type Principal } from "@weft/contract/permissions.ts";

/**
 * The built-in tree as far as the user may see it. A group none of whose children is left goes as
 * well. Hidden routes stay in: the console needs them to build its routes (specification 2.2).
 */
export function menuFor(user: Principal, tree: readonly MenuNode[] = menu): ServerMenuNode[] {
  return below(user, tree, 0);
}

function below(user: Principal, nodes: readonly MenuNode[], parentId: number): ServerMenuNode[] {
  return nodes.flatMap((node) => {
    if (user.visitEndTime ? !isForVisitor(user, node) : !holds(user, neededFor(node))) return [];
    const menuId = idOf(node.path);
    const children = below(user, node.children ?? [], menuId);
    if (node.view === undefined && !children.some((child) => node.hide || !child.hide)) return [];
    const [menuName, menuNameEn] = node.title;
    return [
      {
        menuId,
        parentId,
        menuName,
        menuNameEn,
        icon: node.icon ?? "",
        path: node.path,
        url: node.view ?? "",
        hide: node.hide ?? false,
        children,
      },
    ];
  });
}

/** A link for templates opens what its visitor holds, and of what asks for nothing only the groups of that. */
const isForVisitor = (user: Principal, node: MenuNode): boolean => {
  const needed = neededFor(node);
  return needed === null ? node.view === undefined : holds(user, needed);
};

/** FNV-1a over the path, 31 bits: an entry keeps its id whatever is added around it. */
function idOf(path: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(path)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 1;
}
