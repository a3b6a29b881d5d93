export { spaceBatches } from "./batch.ts";
