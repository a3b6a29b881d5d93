/** What the wallboard shows of the first screen. */
export { readTraffic } from "./routes.ts";
export { countStates, listAttention } from "./store.ts";
