import { useQueryClient } from "@tanstack/react-query";
import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import {
  type SiteOverview,
  siteOverview,
} from "@weft/contract/domains/monitoring/site-overview.ts";
import { useEffect, useState } from "react";
import { makeStale, queryKey, resourceOf } from "#client/query.ts";
import { type CallResult, useCall } from "#client/use-call.ts";
import type { NodeState } from "#domains/delivery/parts/state/delivery.ts";
import { useNodeState } from "#domains/devices/parts/node/use-node.ts";
import { useMovingRange } from "#parts/range/use-moving-range.ts";
import type { PickedRange } from "#parts/range/use-range.ts";

export interface SiteResult {
  /** While the range changes that of the previous one; undefined: nothing of this site is known yet. */
  readonly result: CallResult<typeof siteOverview>;
  readonly picked: PickedRange;
}

/** A site's page over the range in the address; one call. @param id null: the address names none */
export function useSite(id: number | null): SiteResult {
  const picked = useMovingRange();
  const result = useCall(siteOverview, id === null ? null : { id, ...picked.range }, {
    keep: true,
  });
  const isOther = result.data !== undefined && result.data.node.id !== id;
  return { result: isOther ? { ...result, data: undefined } : result, picked };
}

/** What of a state the health, and so the head, follows from. */
const shownOf = ({ online, desired, driftSteps, heldAt }: NodeState): string =>
  [online, desired?.serial, desired?.outcome, driftSteps, heldAt?.serial].join(" ");

/**
 * The state of a node, which changes more often than the page is asked for: it starts with the one that came with
 * the page, so that opening the page takes one call.
 */
export function useFreshState({ node, state }: SiteOverview): NodeState {
  const client = useQueryClient();
  const [seeded, setSeeded] = useState<number | null>(null);
  useEffect(() => {
    const key = queryKey(nodeState, { id: node.id });
    if (client.getQueryData(key) === undefined)
      client.setQueryData(key, { data: state, count: null });
    setSeeded(node.id);
  }, [client, node.id, state]);
  const fresh = useNodeState(seeded === node.id ? node.id : null).data ?? state;
  const isNews = shownOf(fresh) !== shownOf(state);
  useEffect(() => {
    // The head beside it came with the page: it is asked again once, not by every event of other devices.
    if (isNews) makeStale(client, resourceOf(siteOverview));
  }, [client, isNews]);
  return fresh;
}
