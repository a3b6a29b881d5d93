export { dueSoonAt } from "./due-soon.ts";
export { paramsOf } from "./store.ts";
export { inTimeZone, timeZoneOf } from "./time-zone.ts";
