export { createAlarms } from "./evaluate.ts";
export { sweepAlarms } from "./write.ts";
