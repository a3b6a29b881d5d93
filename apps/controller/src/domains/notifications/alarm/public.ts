export { createAlarms, sweepAlarms } from "./evaluate.ts";
