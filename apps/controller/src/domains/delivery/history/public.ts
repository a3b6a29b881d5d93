/** What worker, guard and trace use of the history. */
export { type Difference, differences } from "./difference.ts";
export { requireNode } from "./own.ts";
export { type Pinned, readPinned, readPins } from "./pin.ts";
export { restored } from "./restore.ts";
export { findConfirmed, readStateSections, statesWithin } from "./store.ts";
