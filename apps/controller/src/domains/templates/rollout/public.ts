/** What the worker uses of rollouts. */
export { createWaves } from "./step.ts";
