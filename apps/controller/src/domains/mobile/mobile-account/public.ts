export { accountBatches } from "./batch.ts";
