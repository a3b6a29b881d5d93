export { type Break, verifyChain } from "./chain.ts";
export { hashRows, noSeal, sealHash } from "./seal.ts";
