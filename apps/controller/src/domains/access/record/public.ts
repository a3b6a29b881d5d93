/** What other features use of the records. */
export { storyOfCall } from "./call-story.ts";
export { type Break, verifyChain } from "./chain.ts";
export { type OperationRow, storiesOfOperations } from "./operation-stories.ts";
export { hashRows, noSeal, sealHash } from "./seal.ts";
export { hiddenModules } from "./shown.ts";
export { listOperations } from "./store.ts";
