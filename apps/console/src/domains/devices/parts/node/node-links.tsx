import { Link } from "react-router";
import { paths, withSearch } from "#client/paths.ts";
import { EmptyState, Failed } from "#feedback/empty-state.tsx";
import type { Column } from "#kernel/list/columns.tsx";
import { PlainTable } from "#kernel/list/resource-table.tsx";
import { Card } from "#ui/card.tsx";
import { clockText } from "#ui/time-text.tsx";
import { byTrouble, type LinkRow, seenFrom } from "./link-end.ts";
import {
  linkStateColumn,
  measureColumns,
  measuredColumn,
  rateColumns,
  spaceColumn,
} from "./link-metrics.tsx";
import { type NodeTexts, useNodeTexts } from "./node-texts.ts";
import type { useNodeLinks } from "./use-node.ts";

interface Props {
  readonly nodeId: number;
  readonly links: ReturnType<typeof useNodeLinks>;
}

const peerPath = ({ kind, nodeId }: LinkRow["source"]): string =>
  kind === "cpe" ? paths.cpeDetail(nodeId) : paths.popDetail(nodeId);

/** The worst ones; a POP has hundreds, and what is below them must stay in reach. */
const shownAtMost = 12;

const columnsOf = (t: NodeTexts, nodeId: number): Column<LinkRow>[] => [
  linkStateColumn(t),
  {
    key: "peer",
    part: "name",
    title: t("link.peer"),
    pinned: "left",
    width: 168,
    cell: (row) => {
      const { peer } = seenFrom(row, nodeId);
      return (
        <Link className="w-link" to={peerPath(peer)}>
          {peer.name}
        </Link>
      );
    },
  },
  {
    key: "lines",
    title: t("link.lines"),
    width: 136,
    cell: (row) => {
      const { own, peer } = seenFrom(row, nodeId);
      return `wan${own.slot} → wan${peer.slot}`;
    },
  },
  ...measureColumns(t),
  ...rateColumns(t, { in: t("link.in"), out: t("link.out") }, (row) => seenFrom(row, nodeId)),
  spaceColumn(t),
  measuredColumn(t),
];

/** Links of a node as they are now, seen from it. */
export function NodeLinks({ nodeId, links }: Props) {
  const t = useNodeTexts();
  const rows = [...(links.data ?? [])].sort(byTrouble).slice(0, shownAtMost);
  return (
    <Card
      title={t("node.card.links")}
      flush
      extra={
        <>
          {links.asOf && (
            <span className="w-quiet">{t("node.asOf", { time: clockText(links.asOf) })}</span>
          )}
          {(links.count ?? 0) > rows.length && (
            <Link className="w-link" to={withSearch(paths.links(), { nodeId })}>
              {t("node.allLinks", { count: links.count ?? 0 })}
            </Link>
          )}
        </>
      }
    >
      {links.error && !links.data ? (
        <Failed error={links.error} retry={links.refetch} />
      ) : (
        <PlainTable
          rows={rows}
          rowKey="id"
          columns={columnsOf(t, nodeId)}
          isFirstLoad={links.isFirstLoad}
          empty={
            <EmptyState
              kind="good"
              text={t("node.linksEmpty")}
              action={{ label: t("node.toSpaces"), to: paths.netSpace() }}
            />
          }
        />
      )}
    </Card>
  );
}
