/** Which spaces a state has. Pure. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";

/** Names of the spaces' namespaces that a state wants, each once. */
export const wantedNetns = (state: DesiredState): string[] =>
  [
    ...new Set(
      [...state.tunnels, ...state.routings, ...(state.clients ?? [])].flatMap(({ netns }) =>
        netns ? [netns] : [],
      ),
    ),
  ].sort();
