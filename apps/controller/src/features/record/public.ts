export { type Break, type ChainReport, verifyChain } from "./chain.ts";
export { hashRows, noSeal, sealHash } from "./seal.ts";
