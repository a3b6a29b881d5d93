import { type Column, stateColumn } from "#kernel/list/columns.tsx";
import { type Glyph, StatusGlyph } from "#ui/glyph.tsx";
import { Missing } from "#ui/missing.tsx";
import { sinceText } from "#ui/time-text.tsx";
import { conditionOf, type NodeFacts } from "./condition.ts";
import styles from "./node-columns.module.css";
import { conditionGlyphs, type NodeTexts, serialText } from "./node-texts.ts";

/** What the lists of CPEs and POPs show alike. */
export interface ListedNode extends NodeFacts {
  readonly lastOnline: Date | null;
  readonly desiredSerial: number | null;
  readonly runningSerial: number | null;
}

/** Icon and label of a node's state, with since when it is out of contact. */
export const conditionState = (node: ListedNode, t: NodeTexts) => {
  const condition = conditionOf(node);
  const label = t(`node.condition.${condition}`);
  const since =
    condition === "offline" && node.lastOnline ? sinceText(node.lastOnline, t.language) : null;
  return {
    glyph: conditionGlyphs[condition],
    label: since === null ? label : `${label} ${since}`,
    ...((condition === "rejected" || condition === "quarantined") && {
      hint: t(`node.cause.${condition}`),
    }),
  };
};

const serialGlyph = (node: ListedNode): Glyph => {
  if (node.desiredSerial === null) return "off";
  if (node.runningSerial === null) return "unknown";
  if (node.runningSerial === node.desiredSerial) return "ok";
  return node.linkStatus === 1 ? "run" : "off";
};

function Serials({ node, t }: { readonly node: ListedNode; readonly t: NodeTexts }) {
  if (node.desiredSerial === null) return <Missing reason={t("node.serialsNone")} />;
  const desired = serialText(node.desiredSerial);
  const running = serialText(node.runningSerial);
  const hint =
    node.runningSerial === null
      ? t("node.serialsSilent", { desired })
      : t("node.serialsHint", { running, desired });
  return (
    <span className={styles.serials} title={hint}>
      <StatusGlyph glyph={serialGlyph(node)} />
      {running === desired ? running : `${running} → ${desired}`}
    </span>
  );
}

const linksGlyph = (node: ListedNode): Glyph =>
  node.linksUp === node.links ? "ok" : node.linksUp === 0 ? "bad" : "warn";

function LinksUp({ node, t }: { readonly node: ListedNode; readonly t: NodeTexts }) {
  if (node.links === 0) return <Missing reason={t("node.linksNone")} />;
  return (
    <span className={styles.serials}>
      <StatusGlyph glyph={linksGlyph(node)} />
      {node.linksUp}/{node.links}
    </span>
  );
}

/**
 * State first: operators search for faults.
 * @param shown the row as its state is displayed
 */
export const conditionColumn = <Row extends ListedNode>(
  t: NodeTexts,
  shown: (row: Row) => ListedNode = (row) => row,
): Column<Row> =>
  stateColumn("linkStatus", t.field("linkStatus"), (row: Row) => conditionState(shown(row), t), {
    width: 160,
  });

/** Running and wanted state, then links that are up: what was wanted and what was measured. */
export const loopColumns = <Row extends ListedNode>(t: NodeTexts): Column<Row>[] => [
  {
    key: "serials",
    title: t("node.serials"),
    width: 104,
    cell: (row) => <Serials node={row} t={t} />,
  },
  {
    key: "links",
    title: t("node.linksUp"),
    width: 80,
    align: "right",
    cell: (row) => <LinksUp node={row} t={t} />,
  },
];
