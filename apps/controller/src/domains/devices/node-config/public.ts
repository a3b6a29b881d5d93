export { configBatches } from "./batch.ts";
export { type FlowRecording, readFlowRecording } from "./flow-recording.ts";
