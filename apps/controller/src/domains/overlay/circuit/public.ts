/** What delivery reads of circuits. */
export { type CircuitView, readCircuits } from "./view.ts";
