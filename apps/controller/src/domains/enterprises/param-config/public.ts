export { dueSoonAt } from "./due-soon.ts";
export { paramsOf } from "./store.ts";
