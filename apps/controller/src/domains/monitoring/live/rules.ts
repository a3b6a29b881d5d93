import { liveEventName } from "@weft/contract/domains/monitoring/live.ts";
import type { SessionUser } from "#kernel/api.ts";
import type { Transition } from "./store.ts";

/** Whether a person may know of it: every session may list the devices of its scope. Pure. */
export function maySee({ scope }: Pick<SessionUser, "scope">, transition: Transition): boolean {
  if (scope.kind === "all") return true;
  if (!scope.ids.includes(transition.enterpriseId)) return false;
  return !scope.ownOnly || transition.createdBy === scope.userId;
}

/** One event as the stream has it. */
export const eventText = ({ sequence, event }: Transition): string =>
  `event: ${liveEventName}\nid: ${sequence}\ndata: ${JSON.stringify(event)}\n\n`;
