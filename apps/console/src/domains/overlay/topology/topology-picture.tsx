import type { KeyboardEvent } from "react";
import { useTexts } from "#client/texts.ts";
import { excessText } from "#domains/devices/parts/node/excess.ts";
import { healthSentence } from "#domains/devices/parts/node/health.ts";
import { nodeMessages } from "#domains/devices/parts/node/messages.ts";
import type { NodeTexts } from "#domains/devices/parts/node/node-texts.ts";
import { healthMessages } from "#parts/health/messages.ts";
import {
  canvas,
  type Drawing,
  type Edge,
  type Spot,
  type TopLink,
  type TopNode,
  toneOfSpot,
  tonesOf,
} from "./layout.ts";
import { topologyMessages } from "./messages.ts";
import styles from "./topology.module.css";

interface Props {
  readonly drawing: Drawing;
  readonly links: number;
  /** Key of the spot that is picked; null: none. */
  readonly picked: string | null;
  readonly onPick: (spot: Spot) => void;
}

/** POPs as squares, CPEs round; lines by the state of the links between two of them. */
export function TopologyPicture({ drawing, links, picked, onPick }: Props) {
  const t = useTexts(topologyMessages, nodeMessages, healthMessages);
  const nodes = drawing.spots.reduce((all, spot) => all + spot.nodes.length, 0);
  const isNear = ({ from, to }: Edge): boolean =>
    picked === null || from.key === picked || to.key === picked;
  return (
    <svg className={styles.picture} viewBox={`0 0 ${canvas.width} ${canvas.height}`}>
      <title>{t("topology.picture", { nodes, links })}</title>
      {drawing.edges.map((edge) => (
        <line
          key={edge.key}
          className={styles[edge.state] ?? ""}
          data-faint={!isNear(edge) || undefined}
          x1={edge.from.x}
          y1={edge.from.y}
          x2={edge.to.x}
          y2={edge.to.y}
        >
          <title>
            {`${edge.links.map((link) => linkText(link, t)).join("\n")}\n${t(`topology.${edge.state}`)}`}
          </title>
        </line>
      ))}
      {drawing.spots.map((spot) => (
        <SpotMark
          key={spot.key}
          spot={spot}
          isPicked={spot.key === picked}
          onPick={() => onPick(spot)}
        />
      ))}
    </svg>
  );
}

/** The link with what is wrong with it, if it is up and poor. */
const linkText = ({ name, excess }: TopLink, t: NodeTexts): string =>
  excess === null ? name : `${name}: ${excessText(excess, t)}`;

/** As lists call the node, and why. */
function stateText(node: TopNode | undefined, t: NodeTexts): string {
  const state = t(`node.health.${node?.health ?? "none"}`);
  const why = node && healthSentence({ ...node, lastOnline: null }, t);
  return why ? `${state}: ${why}` : state;
}

interface SpotProps {
  readonly spot: Spot;
  readonly isPicked: boolean;
  readonly onPick: () => void;
}

function SpotMark({ spot, isPicked, onPick }: SpotProps) {
  const t = useTexts(topologyMessages, nodeMessages, healthMessages);
  const { nodes, x, y } = spot;
  const [first] = nodes;
  const tone = toneOfSpot(spot);
  const { bad } = tonesOf(nodes);
  const isPop = first?.kind === "pop";
  const isFold = nodes.length > 1;
  const name = isFold ? t("topology.fold", { count: nodes.length }) : (first?.name ?? "");
  const state = isFold ? t("topology.failed", { count: bad }) : stateText(first, t);
  const label = tone === "ok" || (isFold && bad === 0) ? name : `${name}, ${state}`;
  const size = isPop ? 15 : isFold ? 18 : 8;
  const press = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    onPick();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button element cannot be inside an svg
    <g
      className={styles.spot}
      role="button"
      tabIndex={0}
      aria-label={label}
      aria-pressed={isPicked}
      data-tone={tone}
      onClick={onPick}
      onKeyDown={press}
    >
      <title>{label}</title>
      {isPop ? (
        <rect x={x - size} y={y - size} width={2 * size} height={2 * size} rx={3} />
      ) : (
        <circle cx={x} cy={y} r={size} />
      )}
      <text x={x} y={y + size + 16}>
        {name}
      </text>
    </g>
  );
}
