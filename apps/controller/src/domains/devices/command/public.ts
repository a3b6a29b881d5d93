export { awaitAnswer } from "./await.ts";
export { commandBatches } from "./batch.ts";
export { begin } from "./begin.ts";
export { statusNow } from "./store.ts";
