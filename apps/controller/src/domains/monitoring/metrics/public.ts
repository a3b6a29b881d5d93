export { linesOf } from "./store.ts";
