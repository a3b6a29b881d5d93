/** What others use of the change guard. */
export { isFewRemovals } from "./guard.ts";
export { findHeldStates } from "./hold-back.ts";
