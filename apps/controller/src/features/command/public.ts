export { statusNow } from "./store.ts";
