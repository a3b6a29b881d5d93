/** What others use of the links: which pairs of nodes have one. */

export type { MemberNode } from "./adjacencies.ts";
export { settleLeaving } from "./leaving-store.ts";
export { lineAddress } from "./line-address.ts";
export { readMemberNodes, reconcileLinks } from "./reconcile-links.ts";
