export { isNode, readNodeState } from "./store.ts";
