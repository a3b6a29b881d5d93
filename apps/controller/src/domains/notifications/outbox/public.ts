export {
  enqueueByHand,
  enqueueMessage,
  enqueueMessages,
  limitByHand,
  type OutboxMessage,
} from "./store.ts";
