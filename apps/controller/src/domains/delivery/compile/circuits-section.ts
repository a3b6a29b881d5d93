/** Circuits that end at a node, as its state has them. Pure. */

import type { PolicySection } from "@weft/contract/device/v1/policy.ts";
import { type CircuitState, guaranteesOf } from "@weft/contract/device/v1/shaping.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import type { CircuitView } from "#domains/overlay/circuit/public.ts";
import { type CircuitContext, circuitVerdicts } from "#domains/policies/policy-finding/public.ts";
import { type ClassedView, classedOf } from "./paths-section.ts";
import { type RateView, ratesOf } from "./shaping-section.ts";
import { sorted } from "./site-prefixes.ts";

/** `node.lines` with the rates of the merged policy. */
export interface CircuitedView extends RateView {
  readonly node: RateView["node"] & { readonly id: number; readonly kind: "cpe" | "pop" };
  readonly links: readonly {
    readonly id: number;
    readonly spaceId: number;
    readonly a: { readonly node: number };
    readonly b: { readonly node: number };
  }[];
  readonly peers: ReadonlyMap<number, { readonly kind: "cpe" | "pop" }>;
  /** Absent: none ends here. */
  readonly circuits?: readonly CircuitView[];
  readonly classes?: ClassedView["classes"];
}

type Ended = Pick<CircuitView, "peer" | "peerKind" | "spaceId">;

/** A site sends to another one by any link of their space; to a POP, and from one, it is the links between the two. */
const linksOf =
  ({ node, links, peers }: CircuitedView) =>
  ({ peer, peerKind, spaceId }: Ended): number[] =>
    links
      .filter((link) => {
        const other = link.a.node === node.id ? link.b.node : link.a.node;
        const isAnyWay =
          peerKind === "cpe" && (node.kind === "cpe" || peers.get(other)?.kind === "pop");
        return link.spaceId === spaceId && (other === peer || isAnyWay);
      })
      .map(({ id }) => id)
      .sort((a, b) => a - b);

/** @param policy as the state of the node has it */
export function circuitContextOf(
  view: CircuitedView,
  policy: PolicySection | null,
): CircuitContext {
  const tunnels = policy?.tunnels ?? [];
  return {
    kind: view.node.kind,
    capabilities: view.capabilities ?? null,
    rate: ratesOf(view).up,
    tunnels: tunnels.filter(({ up }) => up).length,
    tunnelGuarantee: guaranteesOf(tunnels, "up"),
    linksOf: linksOf(view),
    isDirect: ({ peer, spaceId }) =>
      view.links.some(
        (link) => link.spaceId === spaceId && [link.a.node, link.b.node].includes(peer),
      ),
    ...classedOf(view),
  };
}

/** Those that the device carries out; of one that reported nothing yet none. */
export function circuitStatesOf(view: CircuitedView, policy: PolicySection | null): CircuitState[] {
  const { circuits = [], capabilities = null } = view;
  if (capabilities === null) return [];
  const context = circuitContextOf(view, policy);
  return [...circuitVerdicts(circuits, context)]
    .filter(([, verdict]) => verdict?.effect !== "cannot")
    .map(([circuitView]) => ({
      id: circuitView.id,
      guaranteed: circuitView.guaranteed,
      most: circuitView.bandwidth,
      until: circuitView.until,
      links: [...context.linksOf(circuitView)],
      networks: circuitView.peerKind === "pop" ? null : sorted(circuitView.networks.map(networkOf)),
    }))
    .sort((a, b) => a.id - b.id);
}
