/** What others use of the links: which pairs of nodes have one, and the addresses inside it. */
export { asnOf, innerAddresses, routerIdOf } from "./inner-addresses.ts";
export { lineAddress } from "./line-address.ts";
export type { PlaceNode } from "./place.ts";
export { readPlaceNodes, reconcileLinks } from "./reconcile-links.ts";
