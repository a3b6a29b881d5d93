export { enqueueMessage, enqueueMessages, type Letter } from "./store.ts";
