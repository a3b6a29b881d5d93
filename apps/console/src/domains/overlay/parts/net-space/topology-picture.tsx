import { type Topology, topology } from "@weft/contract/domains/devices/enums.ts";

interface Point {
  readonly x: number;
  readonly y: number;
}

const hubs: readonly Point[] = [
  { x: 48, y: 32 },
  { x: 72, y: 32 },
];
const spokes: readonly Point[] = [
  { x: 14, y: 12 },
  { x: 106, y: 12 },
  { x: 14, y: 52 },
  { x: 106, y: 52 },
];

const pairs = (points: readonly Point[]): (readonly [Point, Point])[] =>
  points.flatMap((point, index) => points.slice(index + 1).map((other) => [point, other] as const));

const toHubs = spokes.flatMap((spoke) => hubs.map((hub) => [spoke, hub] as const));

interface Props {
  readonly shape: Topology;
  /** What the drawing shows, for who cannot see it. */
  readonly label: string;
}

/** A still drawing of who links to whom: POPs are squares in the middle, CPEs round. */
export function TopologyPicture({ shape, label }: Props) {
  const edges = [...toHubs, ...(shape === topology.fullMesh ? pairs(spokes) : [])];
  return (
    <svg width={120} height={64} viewBox="0 0 120 64" role="img" aria-label={label}>
      <g stroke="currentColor" strokeOpacity={0.55}>
        {edges.map(([from, to]) => (
          <line
            key={`${from.x},${from.y}-${to.x},${to.y}`}
            x1={from.x}
            y1={from.y}
            x2={to.x}
            y2={to.y}
          />
        ))}
      </g>
      <g fill="currentColor">
        {hubs.map(({ x, y }) => (
          <rect key={x} x={x - 6} y={y - 6} width={12} height={12} rx={2} />
        ))}
        {spokes.map(({ x, y }) => (
          <circle key={`${x},${y}`} cx={x} cy={y} r={5} />
        ))}
      </g>
    </svg>
  );
}
