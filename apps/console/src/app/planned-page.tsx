import { useLocation } from "react-router";
import { EmptyState } from "#kernel/feedback/empty-state.tsx";
import { useSession } from "#kernel/session.tsx";
import { useTexts } from "#kernel/texts.ts";
import { nodeAt, titleOf } from "#shell/menu-tree.ts";
import { PageHead } from "#ui/page-head.tsx";

/** A screen of the menu whose content is not built yet: it says so and shows nothing made up. */
export function PlannedPage() {
  const t = useTexts();
  const { menus } = useSession();
  const { pathname } = useLocation();
  const node = nodeAt(menus, pathname);
  const title = node ? titleOf(node, t.language) : "";
  return (
    <>
      <PageHead title={title} />
      <EmptyState kind="waiting" text={t("page.planned", { title })} />
    </>
  );
}
