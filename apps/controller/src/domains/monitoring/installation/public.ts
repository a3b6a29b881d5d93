export type { ProcessFacts } from "./facts.ts";
export {
  forgetProcess,
  isQueueMoving,
  livingRoles,
  type OwnProcess,
  recordProcess,
} from "./store.ts";
