export { enqueueMessages, type Letter } from "./store.ts";
