/** Links over special lines, which real-time traffic takes first. Pure. */
import type { NodeKind } from "@weft/contract/domains/devices/enums.ts";
import { endsOf } from "./link-preference.ts";

interface Line {
  readonly slot: number;
  readonly quality?: number;
  readonly givenQuality?: number;
}

interface LinedNode {
  readonly kind: NodeKind;
  readonly lines: readonly Line[];
}

interface Side {
  readonly link: {
    readonly id: number;
    readonly spaceId: number;
    /** It goes soon, and its traffic moves before that. */
    readonly isLeaving?: boolean;
    readonly a: { readonly node: number; readonly slot: number };
    readonly b: { readonly node: number; readonly slot: number };
  };
  readonly own: { readonly slot: number };
  readonly peer: LinedNode & { readonly id: number };
}

interface Circuit {
  readonly peer: number;
  readonly spaceId: number | null;
  readonly quality?: number;
}

/** Of a line by its row, or by an interface line; 0: it is a common one. */
export const qualityOf = ({ quality = 0, givenQuality = 0 }: Omit<Line, "slot">): number =>
  quality || givenQuality;

const qualityAt = ({ lines }: LinedNode, slot: number): number => {
  const line = lines.find((line) => line.slot === slot);
  return line ? qualityOf(line) : 0;
};

/**
 * Between a site and a POP the line of the site decides, as it does about preference; between two of a kind both are special.
 */
function isOverSpecialLine(node: LinedNode, { link, own, peer }: Side): boolean {
  const otherSlot = link.a.node === peer.id ? link.a.slot : link.b.slot;
  const [here, there] = [qualityAt(node, own.slot), qualityAt(peer, otherSlot)];
  if (endsOf(node.kind, peer.kind) !== "siteAndPop") return here > 0 && there > 0;
  return (node.kind === "cpe" ? here : there) > 0;
}

/**
 * Ids by space.
 * @param node with what its policies fill in of its lines
 * @param circuits that end at it: links straight to the other end of one that is a special line are such as well
 */
export function specialLinksOf(
  node: LinedNode,
  sides: readonly Side[],
  circuits: readonly Circuit[],
): ReadonlyMap<number, readonly number[]> {
  const sold = new Set(
    circuits.flatMap(({ peer, spaceId, quality = 0 }) =>
      quality > 0 && spaceId !== null ? [`${spaceId} ${peer}`] : [],
    ),
  );
  const special = sides.filter(
    (side) =>
      // Real-time traffic would stay on one that leaves until it is gone (link-preference.ts).
      !side.link.isLeaving &&
      (isOverSpecialLine(node, side) || sold.has(`${side.link.spaceId} ${side.peer.id}`)),
  );
  const bySpace = Map.groupBy(special, ({ link }) => link.spaceId);
  return new Map([...bySpace].map(([space, some]) => [space, some.map(({ link }) => link.id)]));
}
