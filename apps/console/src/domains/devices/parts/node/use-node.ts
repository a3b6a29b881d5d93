import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import { anyLink, linkList } from "@weft/contract/domains/overlay/link.ts";
import { useMemo } from "react";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { deliveryOf, isUnderway } from "#domains/delivery/parts/state/delivery.ts";

/** During a delivery: each of its steps takes about a second. */
const deliveryEvery = 2_000;
/** Metrics of links arrive every five seconds. */
const linksEvery = 5_000;
/** Enough for a verdict; for a POP with more links there is the page of links. */
const maxLinks = 200;

/** State of a node, polled faster during a delivery. */
export const useNodeState = (id: number | null) => {
  const slow = useCall(nodeState, id === null ? null : { id }, { every: refreshEvery });
  const underway = slow.data ? isUnderway(deliveryOf(slow.data)) : false;
  const isNear = underway && slow.data?.online === true;
  useCall(nodeState, id === null || !isNear ? null : { id }, { every: deliveryEvery });
  return slow;
};

/** Names of what the device of a node reported that it can. */
export const useCapabilities = ({ data }: ReturnType<typeof useNodeState>): readonly string[] =>
  useMemo(
    () =>
      (data?.capabilities ?? []).flatMap((capability) => (capability.can ? [capability.name] : [])),
    [data],
  );

export const useNodeLinks = (id: number | null) =>
  useCall(linkList, id === null ? null : { ...anyLink, page: 1, limit: maxLinks, nodeId: id }, {
    every: linksEvery,
  });
