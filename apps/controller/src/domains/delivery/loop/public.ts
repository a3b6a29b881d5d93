/** What gateway and worker use of the loop. */
export { compile } from "./compile.ts";
export { noteFaces } from "./face.ts";
export { HiddenIntent } from "./intent-counts.ts";
export { placeSpace } from "./place-space.ts";
export { isNode } from "./store.ts";
export { readCalled, readView } from "./view.ts";
