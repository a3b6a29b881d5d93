/** Resources and calls of this domain, for the lists of all. */

import * as report from "./enterprise-report.ts";
import { cklogFlow, logFlow } from "./flow-log.ts";
import * as live from "./live.ts";
import * as measures from "./metrics.ts";
import { cpeLog, popLog } from "./node-log.ts";
import * as nodeReport from "./node-report.ts";
import * as wallboard from "./wallboard.ts";
import * as workplace from "./workplace.ts";

export const resources = {} as const;

export const calls: readonly object[] = [
  measures,
  live,
  report,
  workplace,
  logFlow,
  cklogFlow,
  cpeLog,
  popLog,
  nodeReport,
  wallboard,
];
