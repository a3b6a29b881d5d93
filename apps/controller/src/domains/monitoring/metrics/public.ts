/** What other features use of metrics over time. */
export {
  hitsOf,
  metricsOrNull,
  rangeOf,
  rates,
  readerOf,
  readLinkPoints,
  totalOf,
} from "./read.ts";
export { linesOf } from "./store.ts";
