export type { TemplateInState, TemplateVersion } from "./inputs.ts";
export {
  addCauses,
  adoptVersions,
  cancelIssueTasks,
  cancelState,
  confirmStates,
  dateBack,
  deliverStates,
  openIssueTasks,
  publishStates,
  recordFindings,
  recordOutcomes,
  releaseState,
  removeOldStates,
  retryState,
  settleIssues,
  supersedeEverything,
} from "./transitions.ts";
