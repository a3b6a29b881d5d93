export { awaitAnswer } from "./await.ts";
export { commandBatches } from "./batch.ts";
export { keepAnswer, takeCommands, type WaitingCommand } from "./pending-command-store.ts";
export { startCommand } from "./start-command.ts";
export { statusNow } from "./store.ts";
