import type { FastifyInstance } from "fastify";
import { apiKeyRoutes } from "#domains/access/api-key/routes.ts";
import { batchRoutes } from "#domains/access/batch/routes.ts";
import { demonstrationRoutes } from "#domains/access/demonstration/routes.ts";
import { menuRoutes } from "#domains/access/menu/routes.ts";
import { recordRoutes } from "#domains/access/record/routes.ts";
import { roleRoutes } from "#domains/access/role/routes.ts";
import { savedColumnRoutes } from "#domains/access/saved-columns/routes.ts";
import { factorRoutes } from "#domains/access/session/factor-routes.ts";
import { sessionRoutes } from "#domains/access/session/routes.ts";
import { siteRoutes } from "#domains/access/site/routes.ts";
import { userRoutes } from "#domains/access/user/routes.ts";
import { historyRoutes } from "#domains/delivery/history/routes.ts";
import { loopRoutes } from "#domains/delivery/loop/routes.ts";
import { commandRoutes } from "#domains/devices/command/routes.ts";
import { cpeAreaRoutes } from "#domains/devices/cpe-area/routes.ts";
import { dialTaskRoutes } from "#domains/devices/dial-task/routes.ts";
import { dnsEntryRoutes } from "#domains/devices/dns-entry/routes.ts";
import { enrolmentRoutes } from "#domains/devices/enrolment/routes.ts";
import { firmwareTaskRoutes } from "#domains/devices/firmware-task/routes.ts";
import { lanSectionRoutes } from "#domains/devices/lan-section/routes.ts";
import { lineRoutes } from "#domains/devices/line/routes.ts";
import { nodeRoutes } from "#domains/devices/node/routes.ts";
import { nodeConfigRoutes } from "#domains/devices/node-config/routes.ts";
import { staticRouteRoutes } from "#domains/devices/static-route/routes.ts";
import { branchRoutes } from "#domains/enterprises/branch/routes.ts";
import { brandRoutes } from "#domains/enterprises/brand/routes.ts";
import { companyAuditRoutes } from "#domains/enterprises/company-audit/routes.ts";
import { configItemRoutes } from "#domains/enterprises/config-item/routes.ts";
import { enterpriseRoutes } from "#domains/enterprises/enterprise/routes.ts";
import { ledgerRoutes } from "#domains/enterprises/ledger/routes.ts";
import { paramConfigRoutes } from "#domains/enterprises/param-config/routes.ts";
import { clientConfigRoutes } from "#domains/mobile/client-config/routes.ts";
import { mobileAccountRoutes } from "#domains/mobile/mobile-account/routes.ts";
import { consoleNumbersRoutes } from "#domains/monitoring/console-numbers/routes.ts";
import { enterpriseReportRoutes } from "#domains/monitoring/enterprise-report/routes.ts";
import { flowLogRoutes } from "#domains/monitoring/flow-log/routes.ts";
import { liveRoutes } from "#domains/monitoring/live/routes.ts";
import { measureRoutes } from "#domains/monitoring/measure/routes.ts";
import { nodeReportRoutes } from "#domains/monitoring/node-report/routes.ts";
import { screenRoutes } from "#domains/monitoring/screen/routes.ts";
import { workplaceRoutes } from "#domains/monitoring/workplace/routes.ts";
import { alarmRoutes } from "#domains/notifications/alarm/routes.ts";
import { messageRoutes } from "#domains/notifications/message/routes.ts";
import { noticeRoutes } from "#domains/notifications/notice/routes.ts";
import { circuitRoutes } from "#domains/overlay/circuit/routes.ts";
import { cugRoutes } from "#domains/overlay/cug/routes.ts";
import { linkRoutes } from "#domains/overlay/link/routes.ts";
import { netSpaceRoutes } from "#domains/overlay/net-space/routes.ts";
import { popStrategyRoutes } from "#domains/overlay/pop-strategy/routes.ts";
import { routeNoticeRoutes } from "#domains/overlay/route-notice/routes.ts";
import { segmentRouteRoutes } from "#domains/overlay/segment-route/routes.ts";
import { topologyRoutes } from "#domains/overlay/topology/routes.ts";
import { vbrNodeRoutes } from "#domains/overlay/vbr-node/routes.ts";
import { aclRuleRoutes } from "#domains/policies/acl-rule/routes.ts";
import { applicationRoutes } from "#domains/policies/applications/routes.ts";
import { blacklistRoutes } from "#domains/policies/blacklist/routes.ts";
import { enterpriseGroupRoutes } from "#domains/policies/enterprise-groups/routes.ts";
import { policyRoutes } from "#domains/policies/policy/routes.ts";
import { saasGroupRoutes } from "#domains/policies/saas-group/routes.ts";
import { xwanSpeedRoutes } from "#domains/policies/xwan-speed/routes.ts";
import { routerTemplateRoutes } from "#domains/templates/router-template/routes.ts";

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
