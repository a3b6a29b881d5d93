import type { Access } from "@weft/contract/access.ts";
import { cpe, cpeFindById } from "@weft/contract/domains/devices/cpe.ts";
import { pop, popFindById } from "@weft/contract/domains/devices/pop.ts";
import type { LiveEvent } from "@weft/contract/domains/monitoring/live.ts";
import { liveEventName } from "@weft/contract/domains/monitoring/live-stream.ts";
import { wallboardData } from "@weft/contract/domains/monitoring/wallboard.ts";
import { workplace } from "@weft/contract/domains/monitoring/workplace.ts";
import { alarmEventList } from "@weft/contract/domains/notifications/alarm-event.ts";
import { linkList } from "@weft/contract/domains/overlay/link.ts";
import { topAllInfo } from "@weft/contract/domains/overlay/topology.ts";
import { holds } from "@weft/contract/permissions.ts";
import type { SessionUser } from "#kernel/api.ts";
import type { Transition } from "./store.ts";

type Needs = readonly (Access | null)[];

/** What the calls ask for that show a node and how it does. */
const ofNode: Readonly<Record<"cpe" | "pop", Needs>> = {
  cpe: [cpe.ops.list.may, cpeFindById.may],
  pop: [pop.ops.list.may, popFindById.may],
};

/** What other calls ask for that show what an event is about. */
const besideNode: Readonly<Record<LiveEvent["kind"], Needs>> = {
  node: [topAllInfo.may, workplace.may, wallboardData.may],
  link: [linkList.may, topAllInfo.may, workplace.may, wallboardData.may],
  line: [],
  state: [],
  alarm: [alarmEventList.may, workplace.may],
  repair: [],
  health: [workplace.may, wallboardData.may],
};

/** Alarms and links have lists of their own, and are not shown with the node alone. */
const isOfNode = (kind: LiveEvent["kind"]): boolean => kind !== "alarm" && kind !== "link";

/**
 * Whether a person may know of it: of the data scope what one of the person's reading calls shows, and nothing while those
 * calls are refused because MFA is demanded. Pure.
 */
export function maySee(user: Seeing, transition: Transition): boolean {
  const { event, nodeKind } = transition;
  if (user.mustAddFactor || !isInScope(user, transition)) return false;
  const node = isOfNode(event.kind) && nodeKind !== null ? ofNode[nodeKind] : [];
  return [...besideNode[event.kind], ...node].some((needed) => holds(user, needed));
}

type Seeing = Pick<
  SessionUser,
  "scope" | "userId" | "authorities" | "mustAddFactor" | "visitEndTime"
>;

function isInScope({ scope }: Seeing, transition: Transition): boolean {
  if (scope.kind === "all") return true;
  if (!scope.ids.includes(transition.enterpriseId)) return false;
  return !scope.ownOnly || transition.createdBy === scope.userId;
}

/** One event as the stream has it. */
export const eventText = ({ sequence, event }: Transition): string =>
  `event: ${liveEventName}\nid: ${sequence}\ndata: ${JSON.stringify(event)}\n\n`;
