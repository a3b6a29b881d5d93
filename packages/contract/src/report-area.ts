/** Calls of reports and logs, for the list of all. */
import { cklogFlow, logFlow } from "#contract/calls/flow-log.ts";
import { cpeLog, popLog } from "#contract/calls/node-log.ts";
import * as nodeReport from "#contract/calls/node-report.ts";
import * as screen from "#contract/calls/screen.ts";

export const reportCalls: readonly object[] = [
  logFlow,
  cklogFlow,
  cpeLog,
  popLog,
  nodeReport,
  screen,
];
