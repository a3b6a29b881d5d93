/** Resources and calls of this domain, for the lists of all. */

import * as beginning from "./beginning.ts";
import * as consoleNumbers from "./console-numbers.ts";
import * as overview from "./enterprise-overview.ts";
import * as report from "./enterprise-report.ts";
import { cklogFlow, logFlow } from "./flow-log.ts";
import * as installation from "./installation.ts";
import * as live from "./live.ts";
import * as measures from "./metrics.ts";
import { cpeLog, popLog } from "./node-log.ts";
import * as nodeReport from "./node-report.ts";
import * as search from "./search.ts";
import * as site from "./site-overview.ts";
import * as wallboard from "./wallboard.ts";
import * as workplace from "./workplace.ts";

export const resources = {} as const;

export const calls: readonly object[] = [
  measures,
  beginning,
  consoleNumbers,
  live,
  report,
  overview,
  workplace,
  logFlow,
  cklogFlow,
  cpeLog,
  popLog,
  nodeReport,
  site,
  wallboard,
  search,
  installation,
];
