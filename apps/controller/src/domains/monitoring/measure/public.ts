/** What other features use of figures over time. */
export { rangeOf, rates, readerOf, readLinkPoints, totalOf } from "./read.ts";
export { linesOf } from "./store.ts";
