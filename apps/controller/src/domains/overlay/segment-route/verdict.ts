/** Whether flows of a segment route cross its POPs, by its rows and what devices reported. Pure. */
import type { segmentRoute } from "@weft/contract/domains/overlay/segment-route.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import type { SegmentLack } from "./placement.ts";

export type SegmentVerdict = Pick<
  RowOf<typeof segmentRoute>,
  "state" | "reason" | "params" | "sites" | "sitesActing"
>;

/** A row of `weft.segment_hops`: counts of the devices at one place, the CPEs (0) or a POP. */
export interface SegmentHop {
  readonly place: number;
  readonly name: string;
  readonly nodes: number;
  readonly able: number;
  readonly linked: number;
  readonly online: number;
  readonly carrying: number;
  readonly cut: number;
  readonly unsettled: number;
  readonly reason: string | null;
}

type Found = Pick<SegmentVerdict, "state" | "reason" | "params">;

const outcomeOf = (
  state: SegmentVerdict["state"],
  reason: NonNullable<SegmentVerdict["reason"]>,
  params: Readonly<Record<string, string>>,
): Found => ({ state, reason, params });

const cutAt = (hop: SegmentHop, next: SegmentHop | undefined): Found =>
  next && hop.reason !== "segmentEnd"
    ? outcomeOf("withdrawn", "hopGone", { from: hop.name, to: next.name })
    : outcomeOf("withdrawn", "endGone", { from: hop.name });

/** What is in the way at one place; of the CPEs only what concerns all of them. */
function obstacleAt(hop: SegmentHop, next: SegmentHop | undefined): Found | null {
  const node = { node: hop.name };
  if (hop.able === 0) return outcomeOf("cannot", "noCapability", node);
  if (next && hop.linked === 0)
    return outcomeOf("withdrawn", "noLink", { from: hop.name, to: next.name });
  return null;
}

/** Without an answer of the device it is not known what it does. */
function unknownAt(hop: SegmentHop): Found | null {
  const node = { node: hop.name };
  if (hop.online === 0) return outcomeOf("pending", "offline", node);
  if (hop.carrying === 0) return outcomeOf("pending", "unconfirmed", node);
  return hop.place > 0 && hop.unsettled > 0 ? outcomeOf("pending", "unconfirmed", node) : null;
}

/** @param hops in their order, the CPEs first; none: the route is in no space */
export function verdictOf(
  isEnabled: boolean,
  lack: SegmentLack | null,
  hops: readonly SegmentHop[],
): SegmentVerdict {
  const [start] = hops;
  const sites = start?.nodes ?? 0;
  const of = (outcome: Found, sitesActing = 0): SegmentVerdict => ({
    ...outcome,
    sites,
    sitesActing,
  });
  if (!isEnabled) return of({ state: "off", reason: null, params: {} });
  if (start?.place !== 0) return of(outcomeOf("cannot", "noSpace", {}));
  if (lack) return of(outcomeOf("cannot", lack.reason, lack.params));
  const inTurn = hops.map((hop, at) => ({ hop, next: hops[at + 1] }));
  for (const { hop, next } of inTurn) {
    const obstacle = obstacleAt(hop, next);
    if (obstacle) return of(obstacle);
  }
  // Those before it report it as well: the last one that does is where it is.
  const cut = inTurn.findLast(({ hop }) => hop.place > 0 && hop.online > 0 && hop.cut > 0);
  if (cut) return of(cutAt(cut.hop, cut.next));
  for (const { hop } of inTurn) {
    const unknown = unknownAt(hop);
    if (unknown) return of(unknown);
  }
  const acting = start.carrying - start.cut;
  return acting > 0
    ? of({ state: "acts", reason: null, params: {} }, acting)
    : of(cutAt(start, hops[1]));
}
