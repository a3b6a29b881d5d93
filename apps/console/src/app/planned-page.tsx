import { formatMessage } from "@weft/contract/kernel/message.ts";
import type { ViewName } from "@weft/contract/menu.ts";
import { Link, useLocation } from "react-router";
import { useSession } from "#kernel/session.tsx";
import { useTexts } from "#kernel/texts.ts";
import { nodeAt, titleOf } from "#shell/menu-tree.ts";
import { PageHead } from "#ui/page-head.tsx";
import { plannedViews } from "./planned-views.ts";

/** A screen whose content is not built yet: what it will be, and where to look meanwhile. */
export function PlannedPage() {
  const t = useTexts();
  const { menus } = useSession();
  const { pathname } = useLocation();
  const node = nodeAt(menus, pathname);
  const planned = node && plannedViews[node.url as ViewName];
  const there = (planned?.there ?? []).flatMap((path) => nodeAt(menus, path) ?? []);
  return (
    <>
      <PageHead title={node ? titleOf(node, t.language) : ""} />
      <div className="w-empty">
        {planned && <p>{formatMessage(planned.what, t.language)}</p>}
        <p className="w-quiet">{t("page.planned")}</p>
        {there.map((other) => (
          <Link key={other.path} className="w-button" to={other.path}>
            {titleOf(other, t.language)}
          </Link>
        ))}
      </div>
    </>
  );
}
