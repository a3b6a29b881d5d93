export { isNode } from "./store.ts";
