/** What other features use of the records. */
export { type Break, verifyChain } from "./chain.ts";
export { rowName } from "./rules.ts";
export { hashRows, noSeal, sealHash } from "./seal.ts";
export { hiddenModules, listOperations } from "./store.ts";
