export { awaitAnswer } from "./await.ts";
export { begin } from "./begin.ts";
export { statusNow } from "./store.ts";
