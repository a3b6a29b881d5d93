export { configBatches } from "./batch.ts";
