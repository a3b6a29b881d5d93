/** What worker and gateway use: changes become marks, marks become published states. */
export { failureOf } from "./compile-failure.ts";
export { createCompiler, nodeRestMs } from "./compile-marked.ts";
export { failureWith, type NodePreview, previewNode } from "./preview.ts";
export { changesOfBatch, createChangeReader, defaultPace } from "./read-changes.ts";
export { sha256 } from "./state-content.ts";
export { createStateHint, stateChannel } from "./state-hint.ts";
