/** What others use of the change guard. */
export { isFewRemovals } from "./guard.ts";
export { isHeld } from "./hold-back.ts";
