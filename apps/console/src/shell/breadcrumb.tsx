import HomeOutlined from "@ant-design/icons/es/icons/HomeOutlined";
import { Link, useLocation } from "react-router";
import { useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { crumbsOf, titleOf } from "./menu-tree.ts";
import { shellMessages } from "./messages.ts";

/** A home icon and each titled route on the way here. */
export function Breadcrumb() {
  const t = useTexts(shellMessages);
  const { menus } = useSession();
  const { pathname } = useLocation();
  const way = crumbsOf(menus, pathname);
  return (
    <nav aria-label={t("shell.path")} className="w-breadcrumb">
      <Link to="/" aria-label={t("shell.home")} title={t("shell.home")}>
        <HomeOutlined />
      </Link>
      {way.map((node, index) => (
        <span key={node.path} title={titleOf(node, t.language)}>
          <i aria-hidden="true">/</i>
          {index === way.length - 1 || node.url === "" ? (
            titleOf(node, t.language)
          ) : (
            <Link to={node.path}>{titleOf(node, t.language)}</Link>
          )}
        </span>
      ))}
    </nav>
  );
}
