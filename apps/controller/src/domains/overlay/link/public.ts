/** What other features use of links. */
export {
  asnOf,
  exitAddresses,
  exitMark,
  exitNumberOf,
  innerAddresses,
  innerNetworks,
  linksPerSpace,
  routerIdOf,
  segmentMark,
  segmentsPerSpace,
} from "./inner-addresses.ts";
export {
  keepMeasures,
  keepTransition,
  type LinkSample,
  type LinksKept,
  type OwnMetrics,
  ownMetrics,
} from "./metrics-store.ts";
export { isOfPair } from "./pair.ts";
export { readLinkPoints } from "./points.ts";
export { renewLinkQuality } from "./quality.ts";
export { countLinks, type LinkGroup, linksAmong, linksOfNode, listLinks } from "./store.ts";
