/** What others use of the change guard. */
export { isFewRemovals } from "./guard.ts";
export { findHeldStates } from "./held-states.ts";
