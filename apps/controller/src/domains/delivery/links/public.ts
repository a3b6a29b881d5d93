/** What others use of the links: which pairs of nodes have one, and the addresses inside it. */

export type { MemberNode } from "./adjacencies.ts";
export { asnOf, innerAddresses, routerIdOf } from "./inner-addresses.ts";
export { lineAddress } from "./line-address.ts";
export { readMemberNodes, reconcileLinks } from "./reconcile-links.ts";
