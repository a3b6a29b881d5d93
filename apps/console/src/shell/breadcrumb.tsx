import HomeOutlined from "@ant-design/icons/es/icons/HomeOutlined";
import type { ServerMenuNode } from "@weft/contract/domains/access/session.ts";
import { Link, useLocation } from "react-router";
import { usePageNames } from "#client/page-name.ts";
import { useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { crumbsOf, titleOf } from "./menu-tree.ts";
import { shellMessages } from "./messages.ts";

/** A home icon and each titled route on the way here. */
export function Breadcrumb() {
  const t = useTexts(shellMessages);
  const { menus } = useSession();
  const { pathname } = useLocation();
  const { byPath } = usePageNames();
  const way = crumbsOf(menus, pathname);
  const nameOf = (node: ServerMenuNode): string =>
    byPath.get(node.path) ?? titleOf(node, t.language);
  return (
    <nav aria-label={t("shell.path")} className="w-breadcrumb">
      <Link to="/" aria-label={t("shell.home")} title={t("shell.home")}>
        <HomeOutlined />
      </Link>
      {way.map((node, index) => (
        <span key={node.path} title={nameOf(node)}>
          <i aria-hidden="true">/</i>
          {index === way.length - 1 || node.url === "" ? (
            nameOf(node)
          ) : (
            <Link to={node.path}>{nameOf(node)}</Link>
          )}
        </span>
      ))}
    </nav>
  );
}
