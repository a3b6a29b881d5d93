import type { FastifyInstance } from "fastify";
import { aclRuleRoutes } from "#features/acl-rule/routes.ts";
import { alarmRoutes } from "#features/alarm/routes.ts";
import { apiKeyRoutes } from "#features/api-key/routes.ts";
import { applicationRoutes } from "#features/applications/routes.ts";
import { batchRoutes } from "#features/batch/routes.ts";
import { blacklistRoutes } from "#features/blacklist/routes.ts";
import { branchRoutes } from "#features/branch/routes.ts";
import { brandRoutes } from "#features/brand/routes.ts";
import { circuitRoutes } from "#features/circuit/routes.ts";
import { clientConfigRoutes } from "#features/client-config/routes.ts";
import { commandRoutes } from "#features/command/routes.ts";
import { companyAuditRoutes } from "#features/company-audit/routes.ts";
import { configItemRoutes } from "#features/config-item/routes.ts";
import { consoleNumbersRoutes } from "#features/console-numbers/routes.ts";
import { cpeAreaRoutes } from "#features/cpe-area/routes.ts";
import { cugRoutes } from "#features/cug/routes.ts";
import { demonstrationRoutes } from "#features/demonstration/routes.ts";
import { dialTaskRoutes } from "#features/dial-task/routes.ts";
import { dnsEntryRoutes } from "#features/dns-entry/routes.ts";
import { enrolmentRoutes } from "#features/enrolment/routes.ts";
import { enterpriseRoutes } from "#features/enterprise/routes.ts";
import { enterpriseGroupRoutes } from "#features/enterprise-groups/routes.ts";
import { enterpriseReportRoutes } from "#features/enterprise-report/routes.ts";
import { firmwareTaskRoutes } from "#features/firmware-task/routes.ts";
import { flowLogRoutes } from "#features/flow-log/routes.ts";
import { historyRoutes } from "#features/history/routes.ts";
import { lanSectionRoutes } from "#features/lan-section/routes.ts";
import { ledgerRoutes } from "#features/ledger/routes.ts";
import { lineRoutes } from "#features/line/routes.ts";
import { linkRoutes } from "#features/link/routes.ts";
import { liveRoutes } from "#features/live/routes.ts";
import { loopRoutes } from "#features/loop/routes.ts";
import { measureRoutes } from "#features/measure/routes.ts";
import { menuRoutes } from "#features/menu/routes.ts";
import { messageRoutes } from "#features/message/routes.ts";
import { mobileAccountRoutes } from "#features/mobile-account/routes.ts";
import { netSpaceRoutes } from "#features/net-space/routes.ts";
import { nodeRoutes } from "#features/node/routes.ts";
import { nodeConfigRoutes } from "#features/node-config/routes.ts";
import { nodeReportRoutes } from "#features/node-report/routes.ts";
import { noticeRoutes } from "#features/notice/routes.ts";
import { paramConfigRoutes } from "#features/param-config/routes.ts";
import { policyRoutes } from "#features/policy/routes.ts";
import { popStrategyRoutes } from "#features/pop-strategy/routes.ts";
import { recordRoutes } from "#features/record/routes.ts";
import { roleRoutes } from "#features/role/routes.ts";
import { routeNoticeRoutes } from "#features/route-notice/routes.ts";
import { routerTemplateRoutes } from "#features/router-template/routes.ts";
import { saasGroupRoutes } from "#features/saas-group/routes.ts";
import { savedColumnRoutes } from "#features/saved-columns/routes.ts";
import { screenRoutes } from "#features/screen/routes.ts";
import { segmentRouteRoutes } from "#features/segment-route/routes.ts";
import { factorRoutes } from "#features/session/factor-routes.ts";
import { sessionRoutes } from "#features/session/routes.ts";
import { siteRoutes } from "#features/site/routes.ts";
import { staticRouteRoutes } from "#features/static-route/routes.ts";
import { topologyRoutes } from "#features/topology/routes.ts";
import { userRoutes } from "#features/user/routes.ts";
import { vbrNodeRoutes } from "#features/vbr-node/routes.ts";
import { workplaceRoutes } from "#features/workplace/routes.ts";
import { xwanSpeedRoutes } from "#features/xwan-speed/routes.ts";

/** Every feature of the API: a feature mounts nothing until its line stands here. */
export const featureRoutes: readonly ((app: FastifyInstance) => void)[] = [
  sessionRoutes,
  siteRoutes,
  factorRoutes,
  menuRoutes,
  messageRoutes,
  enterpriseRoutes,
  ledgerRoutes,
  applicationRoutes,
  branchRoutes,
  brandRoutes,
  companyAuditRoutes,
  configItemRoutes,
  enterpriseGroupRoutes,
  enterpriseReportRoutes,
  paramConfigRoutes,
  popStrategyRoutes,
  savedColumnRoutes,
  workplaceRoutes,
  xwanSpeedRoutes,
  vbrNodeRoutes,
  segmentRouteRoutes,
  saasGroupRoutes,
  routeNoticeRoutes,
  consoleNumbersRoutes,
  demonstrationRoutes,
  nodeRoutes,
  lineRoutes,
  lanSectionRoutes,
  staticRouteRoutes,
  netSpaceRoutes,
  linkRoutes,
  enrolmentRoutes,
  loopRoutes,
  historyRoutes,
  userRoutes,
  roleRoutes,
  apiKeyRoutes,
  policyRoutes,
  recordRoutes,
  noticeRoutes,
  measureRoutes,
  flowLogRoutes,
  nodeReportRoutes,
  screenRoutes,
  routerTemplateRoutes,
  aclRuleRoutes,
  blacklistRoutes,
  commandRoutes,
  cpeAreaRoutes,
  dialTaskRoutes,
  dnsEntryRoutes,
  firmwareTaskRoutes,
  nodeConfigRoutes,
  topologyRoutes,
  liveRoutes,
  mobileAccountRoutes,
  circuitRoutes,
  cugRoutes,
  alarmRoutes,
  clientConfigRoutes,
  batchRoutes,
];
