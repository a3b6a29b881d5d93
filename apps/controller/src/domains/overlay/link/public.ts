/** What other features use of links. */
export { isFresh, isPoor, isUp, staleAfter } from "./fresh.ts";
export {
  keepMeasures,
  keepTransition,
  type LinkSample,
  type LinksKept,
  type OwnMetrics,
  ownMetrics,
} from "./metrics-store.ts";
export { isOfPair } from "./pair.ts";
export { renewLinkQuality } from "./quality.ts";
export { countLinks, type LinkGroup, linksAmong, linksOfNode, listLinks } from "./store.ts";
