export { createAlarms } from "./evaluate.ts";
export { eventSentence, type Reported } from "./event-text.ts";
export { contactMetrics } from "./findings.ts";
export { sweepAlarms } from "./write.ts";
