/** Resources and calls of this domain, for the lists of all. */
import * as effectivePolicy from "./effective-policy.ts";
import * as nodeHistory from "./history.ts";
import * as nodeState from "./node-state.ts";
import * as task from "./task.ts";
import * as nodeTrace from "./trace.ts";

export const resources = {} as const;

export const calls: readonly object[] = [nodeState, task, nodeHistory, nodeTrace, effectivePolicy];
