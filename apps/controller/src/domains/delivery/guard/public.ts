/** What others use of the change guard. */
export { isHeld } from "./hold-back.ts";
