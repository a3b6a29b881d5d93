/** Calls of reports and logs, for the list of all. */
import { cklogFlow, logFlow } from "#domains/monitoring/flow-log.ts";
import { cpeLog, popLog } from "#domains/monitoring/node-log.ts";
import * as nodeReport from "#domains/monitoring/node-report.ts";
import * as screen from "#domains/monitoring/screen.ts";

export const reportCalls: readonly object[] = [
  logFlow,
  cklogFlow,
  cpeLog,
  popLog,
  nodeReport,
  screen,
];
