/** What worker and gateway use: changes become marks, marks become published states. */
export { createCompiler } from "./compile-marked.ts";
export { type NodePreview, previewNode } from "./preview.ts";
export { createChangeReader, defaultPace } from "./read-changes.ts";
export { createStateHint, stateChannel } from "./state-hint.ts";
