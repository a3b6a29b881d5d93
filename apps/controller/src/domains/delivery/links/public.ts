/** What others use of the links: which pairs of nodes have one, and the addresses inside it. */

export type { MemberNode } from "./adjacencies.ts";
export {
  asnOf,
  innerAddresses,
  innerNetworks,
  routerIdOf,
  segmentMark,
  segmentsPerSpace,
} from "./inner-addresses.ts";
export { settleLeaving } from "./leaving-store.ts";
export { lineAddress } from "./line-address.ts";
export { readMemberNodes, reconcileLinks } from "./reconcile-links.ts";
