export { paramsOf } from "./store.ts";
