import { linkList } from "@weft/contract/resources/link.ts";
import { Link } from "react-router";
import { EmptyState, Failed } from "#kernel/feedback/empty-state.tsx";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import { linkColumns } from "#kernel/node/link-columns.tsx";
import { paths, withSearch } from "#kernel/paths.ts";
import { refreshEvery, useCall } from "#kernel/use-call.ts";
import { type SpaceRow, useSpaceTexts } from "./net-space-texts.ts";

/** As many as one looks over at a glance; the page of links has the rest. */
const shown = 10;

/** Links of a space inside its row, those that are down first. */
export function SpaceLinks({ space }: { readonly space: SpaceRow }) {
  const t = useSpaceTexts();
  const asked = useCall(
    linkList,
    { page: 1, limit: shown, netSpaceId: space.id, nodeId: null, status: null, name: null },
    { every: refreshEvery },
  );
  if (asked.error && !asked.data) return <Failed error={asked.error} retry={asked.refetch} />;
  return (
    <>
      <PlainTable
        rows={asked.data ?? []}
        rowKey="id"
        columns={linkColumns(t)}
        isFirstLoad={asked.isFirstLoad}
        empty={<EmptyState kind="good" text={t("space.linksEmpty")} />}
      />
      {(asked.count ?? 0) > shown && (
        <Link className="w-link" to={withSearch(paths.links(), { netSpaceId: space.id })}>
          {t("space.allLinks", { count: asked.count ?? 0 })}
        </Link>
      )}
    </>
  );
}
