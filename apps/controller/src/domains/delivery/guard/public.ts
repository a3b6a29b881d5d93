/** What others use of the change guard. */
export { isFewRemovals } from "./guard.ts";
export { heldAmong } from "./hold-back.ts";
