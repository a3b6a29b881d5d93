export { enqueueMessage, enqueueMessages, type OutboxMessage } from "./store.ts";
