/** What others use of the compiler: the sections of a node's state from the rows that describe it. */
export { recordAdvertisements } from "./advertisement.ts";
export { circuitContextOf } from "./circuits-section.ts";
export { acceleratedSites, compile, keptNetworks } from "./compile.ts";
export { aclOf } from "./device-settings.ts";
export { HiddenIntent } from "./intent-counts.ts";
export { mergedPolicyOf } from "./node-policy.ts";
export { policyContextOf, policySectionOf } from "./policy-section.ts";
export type { PublishedTemplate } from "./published-template.ts";
export { type ReadView, readCalled, readView, readViews } from "./view.ts";
export { withVlanInterfaces } from "./vlan-interfaces.ts";
