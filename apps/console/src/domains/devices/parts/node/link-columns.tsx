import { Link } from "react-router";
import { paths } from "#client/paths.ts";
import type { Column } from "#kernel/list/columns.tsx";
import { textWidth } from "#ui/text-width.ts";
import styles from "./link-columns.module.css";
import type { LinkEnd, LinkRow } from "./link-end.ts";
import { linkStateColumn, measureColumns, measuredColumn, rateColumns } from "./link-metrics.tsx";
import type { NodeTexts } from "./node-texts.ts";

/** Which line it is, with its own name if it has one. */
function lineOf({ slot, lineName }: LinkEnd): string {
  const line = `wan${slot}`;
  return lineName === line ? line : `${line} ${lineName}`;
}

const endWidth = (end: LinkEnd): number => textWidth(`${end.name}  ${lineOf(end)}`);

/** An end of a link: the node, and below which of its lines. */
function LinkEndCell({ end }: { readonly end: LinkEnd }) {
  const to = end.kind === "cpe" ? paths.cpeDetail(end.nodeId) : paths.popDetail(end.nodeId);
  return (
    <span className={styles.end}>
      <Link className="w-link" to={to} title={end.name}>
        {end.name}
      </Link>
      <span className="w-quiet">{lineOf(end)}</span>
    </span>
  );
}

/** Both ends of a link with what was measured. "In" is towards the source. */
export const linkColumns = (t: NodeTexts): Column<LinkRow>[] => [
  linkStateColumn(t),
  {
    key: "source",
    part: "name",
    title: t("link.source"),
    pinned: "left",
    width: 232,
    need: (row) => endWidth(row.source),
    cell: (row) => <LinkEndCell end={row.source} />,
  },
  {
    key: "target",
    title: t("link.target"),
    width: 200,
    need: (row) => endWidth(row.target),
    cell: (row) => <LinkEndCell end={row.target} />,
  },
  ...measureColumns(t),
  ...rateColumns(t, { in: t("link.toSource"), out: t("link.toTarget") }, (row) => row).reverse(),
  measuredColumn(t),
];
