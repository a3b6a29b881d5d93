/** What other features use of the records. */
export { rowName } from "./rules.ts";
export { hiddenModules } from "./store.ts";
