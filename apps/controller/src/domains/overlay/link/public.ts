/** What other features use of links. */
export { isFresh, isUp, staleAfter } from "./fresh.ts";
export {
  keepMeasures,
  keepTransition,
  type LinksKept,
  type OwnMetrics,
  ownMetrics,
} from "./metrics-store.ts";
export { isOfPair } from "./pair.ts";
export { linksAmong, linksOfNode, listLinks } from "./store.ts";
