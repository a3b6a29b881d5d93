/** Section 4: 0 not started, 1 completed, 2 failed, 3 cancelled, 4 pulled (delivered). */
export const taskStatuses = [0, 1, 2, 3, 4] as const;
export type TaskStatus = (typeof taskStatuses)[number];
export const taskStatus = {
  notStarted: 0,
  completed: 1,
  failed: 2,
  cancelled: 3,
  pulled: 4,
} as const;
/** What a task delivers. */
export const taskTypes = ["state", "template"] as const;

/**
 * Why a node could not be compiled. `tooLarge`: it holds more of something than a device takes.
 * `unreadable`: rows that its state is made of could not be read. `broken`: anything else.
 */
export const compileFailures = ["tooLarge", "unreadable", "broken"] as const;
export type CompileFailure = (typeof compileFailures)[number];

/**
 * What the controller itself finds about a node, beside what its device reports. Links that are wanted
 * and not there: `noIndex`: the space has all that it can have; `noPort`: a node has; `noLine`: the node
 * has no WAN link; `noCallable`: none of the POP's can be called; `noPeer`: no member of its space can be;
 * `noPop`: the space has no POP of the enterprise's strategy; `popExpired`: a POP takes no new links.
 * `collides`: a network and another site's take each other's traffic, by rows that would be refused today.
 * `reportsFlap`: what the device reports changes again and again, and is put off.
 * `ofFormerAgent`: an object of `enterprise` names the node from before one of the two enterprises moved to another agent.
 */
export const spaceFindingReasons = [
  ...(["noIndex", "noPort", "noLine", "noCallable", "noPeer"] as const),
  ...(["noPop", "popExpired"] as const),
  "collides",
  "reportsFlap",
  "ofFormerAgent",
] as const;

/** Life of one desired state on a node (design: deliver, apply, confirm). */
export const stateOutcomes = [
  "waiting",
  /** Removes more than its changes account for: an operator has to send it. */
  "held",
  "delivered",
  "applied",
  "confirmed",
  "refused",
  "failed",
  "reverted",
  "superseded",
] as const;
export type StateOutcome = (typeof stateOutcomes)[number];
