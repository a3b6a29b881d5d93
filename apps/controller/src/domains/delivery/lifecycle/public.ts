export type { TemplateInState, TemplateVersion } from "./inputs.ts";
export {
  addCauses,
  adoptVersion,
  cancelIssueTasks,
  cancelState,
  confirmState,
  deliverState,
  openIssueTasks,
  publishState,
  recordFindings,
  recordOutcome,
  releaseState,
  removeOldStates,
  retryState,
  supersedeEverything,
  supersedeStates,
} from "./transitions.ts";
