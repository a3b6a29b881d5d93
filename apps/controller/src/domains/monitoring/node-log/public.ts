export { metricsReaderOf } from "./read.ts";
export { bytesOf, everyStep } from "./records.ts";
export { ownersOf } from "./store.ts";
