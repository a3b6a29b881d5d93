export type { TemplateInState, TemplateVersion } from "./inputs.ts";
export {
  addCauses,
  adoptVersion,
  cancelIssueTasks,
  cancelState,
  confirmState,
  dateBack,
  deliverState,
  openIssueTasks,
  publishState,
  publishStates,
  recordFindings,
  recordOutcome,
  releaseState,
  removeOldStates,
  retryState,
  settleIssue,
  supersedeEverything,
  supersedeStates,
} from "./transitions.ts";
export { isBeingCompiled } from "./waiting.ts";
