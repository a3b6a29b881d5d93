/** What other features use of links. */
export { isFresh, isUp } from "./fresh.ts";
export { isOfPair } from "./pair.ts";
export { linksAmong, linksOfNode, listLinks } from "./store.ts";
