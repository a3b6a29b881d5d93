/** What the worker uses of the history. */
export { differences } from "./difference.ts";
export { weighRemovals } from "./guard.ts";
