/** What the wallboard and the page of an enterprise show of the first screen. */
export { readCauses, readTraffic, readTrouble } from "./routes.ts";
export { countAlarms, countStates } from "./store.ts";
