import { Link } from "react-router";
import { paths } from "#client/paths.ts";
import type { Column } from "#kernel/list/columns.tsx";
import styles from "./link-columns.module.css";
import type { LinkEnd, LinkRow } from "./link-end.ts";
import { linkStateColumn, measureColumns, measuredColumn, rateColumns } from "./link-metrics.tsx";
import type { NodeTexts } from "./node-texts.ts";

/** An end of a link: the node, and below which of its lines. */
function LinkEndCell({ end }: { readonly end: LinkEnd }) {
  const to = end.kind === "cpe" ? paths.cpeDetail(end.nodeId) : paths.popDetail(end.nodeId);
  const line = `wan${end.slot}`;
  return (
    <span className={styles.end}>
      <Link className="w-link" to={to} title={end.name}>
        {end.name}
      </Link>
      <span className="w-quiet">{end.lineName === line ? line : `${line} ${end.lineName}`}</span>
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
    cell: (row) => <LinkEndCell end={row.source} />,
  },
  {
    key: "target",
    title: t("link.target"),
    width: 200,
    cell: (row) => <LinkEndCell end={row.target} />,
  },
  ...measureColumns(t),
  ...rateColumns(t, { in: t("link.toSource"), out: t("link.toTarget") }, (row) => row).reverse(),
  measuredColumn(t),
];
