/** What gateway and worker use of the loop. */

export { recordAdvertisements } from "./advertisement.ts";
export { compile } from "./compile.ts";
export { HiddenIntent } from "./intent-counts.ts";
export { reconcileLinks } from "./reconcile-links.ts";
export { isNode } from "./store.ts";
export { readCalled, readView } from "./view.ts";
