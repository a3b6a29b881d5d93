/** What other features use of metrics over time. */
export { hitsOf, rangeOf, rates, readerOf, readLinkPoints, totalOf } from "./read.ts";
export { linesOf } from "./store.ts";
