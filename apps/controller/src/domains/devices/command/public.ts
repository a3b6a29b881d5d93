export { awaitAnswer } from "./await.ts";
export { commandBatches } from "./batch.ts";
export { begin } from "./begin.ts";
export { keepAnswer, takeCommands, type WaitingCommand } from "./on-the-way-store.ts";
export { statusNow } from "./store.ts";
