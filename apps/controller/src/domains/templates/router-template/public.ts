/** What the loop, the families of policies and rollouts use of router templates. */
export { type Acting, asWorker } from "./as-worker.ts";
export { type LineQualities, readLineQualities } from "./line-qualities.ts";
export { requireAllInScope } from "./members.ts";
export { freezeVersions } from "./publish.ts";
export { type PublishedTemplate, readPublished } from "./published.ts";
export { lockTemplate, requireTemplate } from "./store.ts";
export { createTakeIn } from "./take-in.ts";
