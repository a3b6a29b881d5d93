export { readNodeState } from "./store.ts";
