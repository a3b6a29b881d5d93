/** What others use of the compiler: the sections of a node's state from the rows that describe it. */
export { recordAdvertisements } from "./advertisement.ts";
export { compile } from "./compile.ts";
export { HiddenIntent } from "./intent-counts.ts";
export { mergedPolicyOf, policyGroundOf } from "./policy-section.ts";
export { type ReadView, readCalled, readView } from "./view.ts";
