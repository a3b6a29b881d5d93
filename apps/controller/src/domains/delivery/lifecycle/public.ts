export type { TemplateInState, TemplateVersion } from "./inputs.ts";
export {
  addCauses,
  adoptVersion,
  cancelIssueTasks,
  cancelState,
  confirmStates,
  dateBack,
  deliverStates,
  openIssueTasks,
  publishState,
  publishStates,
  recordFindings,
  recordOutcomes,
  releaseState,
  removeOldStates,
  retryState,
  settleIssue,
  supersedeEverything,
  supersedeStates,
} from "./transitions.ts";
export { isBeingCompiled } from "./waiting.ts";
