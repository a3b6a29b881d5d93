import { LIVE_EVENT } from "@weft/contract/domains/monitoring/live.ts";
import type { SessionUser } from "#kernel/api.ts";
import type { Turned } from "./store.ts";

/** Whether a person may know of it: every session may list the devices of its scope. Pure. */
export function maySee({ scope }: Pick<SessionUser, "scope">, turned: Turned): boolean {
  if (scope.kind === "all") return true;
  if (!scope.ids.includes(turned.enterpriseId)) return false;
  return !scope.ownOnly || turned.createdBy === scope.userId;
}

/** One event as the stream has it. */
export const eventText = ({ sequence, event }: Turned): string =>
  `event: ${LIVE_EVENT}\nid: ${sequence}\ndata: ${JSON.stringify(event)}\n\n`;
