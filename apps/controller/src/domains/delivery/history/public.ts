/** What worker and guard use of the history. */
export { type Difference, differences } from "./difference.ts";
export { readPinned } from "./pin.ts";
export { restored } from "./restore.ts";
export { type CountedKind, fieldRules } from "./sections.ts";
