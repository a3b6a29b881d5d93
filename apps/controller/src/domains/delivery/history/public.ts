/** What the worker uses of the history. */
export type { WrittenRow } from "./accounting.ts";
export { differences } from "./difference.ts";
export { isFewRemovals, weighRemovals } from "./guard.ts";
export { readPinned } from "./pin.ts";
export { restored } from "./restore.ts";
