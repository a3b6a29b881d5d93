/** What other features use of links. */
export { isUp } from "./fresh.ts";
export { isOfPair } from "./pair.ts";
export { linksAmong, linksOfNode } from "./store.ts";
