import type { EnrolmentState } from "@weft/contract/domains/devices/enums.ts";
import { serialText } from "#domains/delivery/parts/history/state-owner.ts";
import { type Column, stateColumn } from "#kernel/list/columns.tsx";
import { type Glyph, StatusGlyph } from "#ui/glyph.tsx";
import { Missing } from "#ui/missing.tsx";
import { healthState, type WithHealth } from "./health.ts";
import styles from "./node-columns.module.css";
import type { NodeTexts } from "./node-texts.ts";

/** What the lists of CPEs and POPs show alike. */
export interface ListedNode extends WithHealth {
  /** null: no device has used a claim yet. */
  readonly enrolment: EnrolmentState | null;
  /** 1 online, anything else offline (specification section 4). */
  readonly linkStatus: number;
  readonly linksUp: number;
  readonly links: number;
  /** Of those that are up, links that are beyond a limit; absent where they are not counted. */
  readonly linksPoor?: number;
  readonly desiredSerial: number | null;
  readonly runningSerial: number | null;
  /** Later networks of its spaces are on their way; absent where that is not known. */
  readonly awaitsNetworks?: boolean;
}

/** Whether a device runs what it should; of one without contact that is not known. */
export const serialGlyph = (
  node: Pick<ListedNode, "desiredSerial" | "runningSerial" | "linkStatus" | "awaitsNetworks">,
): Glyph => {
  if (node.desiredSerial === null) return "off";
  if (node.runningSerial === null || node.linkStatus !== 1) return "unknown";
  const isCurrent = node.runningSerial === node.desiredSerial && !node.awaitsNetworks;
  return isCurrent ? "ok" : "run";
};

function Serials({ node, t }: { readonly node: ListedNode; readonly t: NodeTexts }) {
  if (node.desiredSerial === null) return <Missing reason={t("node.serialsNone")} />;
  const desired = serialText(node.desiredSerial);
  const running = serialText(node.runningSerial);
  const hint =
    node.runningSerial === null
      ? t("node.serialsSilent", { desired })
      : t(node.awaitsNetworks ? "node.serialsNetworks" : "node.serialsHint", { running, desired });
  return (
    <span className={styles.serials} title={hint}>
      <StatusGlyph glyph={serialGlyph(node)} />
      {running === desired ? running : `${running} → ${desired}`}
    </span>
  );
}

/** Links that are all up are not well while one is beyond a limit. */
const linksGlyph = ({ links, linksUp, linksPoor = 0 }: ListedNode): Glyph => {
  if (linksUp < links) return linksUp === 0 ? "bad" : "warn";
  return linksPoor > 0 ? "warn" : "ok";
};

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
export const healthColumn = <Row extends ListedNode>(
  t: NodeTexts,
  shown: (row: Row) => ListedNode = (row) => row,
): Column<Row> =>
  stateColumn("health", t("node.tones"), (row: Row) => healthState(shown(row), t), {
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
