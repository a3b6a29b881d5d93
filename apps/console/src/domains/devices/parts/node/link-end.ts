import type { linkRow } from "@weft/contract/domains/overlay/link.ts";
import type { z } from "zod";

export type LinkRow = z.output<typeof linkRow>;
export type LinkEnd = LinkRow["source"];

/** A link as one of its ends sees it. Rates in bit/s; null: no measure yet. */
export interface SeenLink {
  readonly own: LinkEnd;
  readonly peer: LinkEnd;
  readonly inRate: number | null;
  readonly outRate: number | null;
}

/** Turns a link so that "in" means towards this node; the wire says it towards the source. */
export const seenFrom = (link: LinkRow, nodeId: number): SeenLink =>
  link.target.nodeId === nodeId
    ? { own: link.target, peer: link.source, inRate: link.outRate, outRate: link.inRate }
    : { own: link.source, peer: link.target, inRate: link.inRate, outRate: link.outRate };

/** Down comes before poor. */
const rankOf = ({ enable, status, excess }: LinkRow): number =>
  !enable ? 2 : status !== 1 ? 0 : excess ? 1 : 2;

/** Worst first, then by name, so that the row that needs attention is on top. */
export const byTrouble = (one: LinkRow, other: LinkRow): number =>
  rankOf(one) - rankOf(other) ||
  (other.loss ?? 0) - (one.loss ?? 0) ||
  one.name.localeCompare(other.name);
