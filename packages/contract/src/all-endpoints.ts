import { businessCalls, businessResources } from "#contract/business-area.ts";
import { enterpriseCalls, enterpriseResources } from "#contract/enterprise-area.ts";
import { reportCalls } from "#contract/report-area.ts";
import { siteModules, siteResources } from "#contract/site-endpoints.ts";
import * as apiKey from "#domains/access/api-key.ts";
import * as batch from "#domains/access/batch.ts";
import * as demonstration from "#domains/access/demonstration.ts";
import * as factors from "#domains/access/factors.ts";
import * as records from "#domains/access/records.ts";
import * as role from "#domains/access/role.ts";
import * as session from "#domains/access/session.ts";
import * as signIn from "#domains/access/sign-in.ts";
import * as user from "#domains/access/user.ts";
import * as nodeHistory from "#domains/delivery/node-history.ts";
import * as cpe from "#domains/devices/cpe.ts";
import * as cpeBatch from "#domains/devices/cpe-batch.ts";
import * as enrolment from "#domains/devices/enrolment.ts";
import * as lanSection from "#domains/devices/lan-section.ts";
import { line } from "#domains/devices/line.ts";
import * as nodeState from "#domains/devices/node-state.ts";
import * as pop from "#domains/devices/pop.ts";
import { staticRoute } from "#domains/devices/static-route.ts";
import * as enterprise from "#domains/enterprises/enterprise.ts";
import * as clientConfig from "#domains/mobile/client-config.ts";
import * as mobileAccount from "#domains/mobile/mobile-account.ts";
import * as live from "#domains/monitoring/live.ts";
import * as measures from "#domains/monitoring/measures.ts";
import * as alarm from "#domains/notifications/alarm.ts";
import * as alarmEvent from "#domains/notifications/alarm-event.ts";
import * as message from "#domains/notifications/message.ts";
import * as notice from "#domains/notifications/notice.ts";
import * as circuit from "#domains/overlay/circuit.ts";
import { cug } from "#domains/overlay/cug.ts";
import * as link from "#domains/overlay/link.ts";
import * as netSpace from "#domains/overlay/net-space.ts";
import * as policy from "#domains/policies/policy.ts";
import { policyFamilies } from "#domains/policies/policy-families.ts";
import * as routerTemplate from "#domains/templates/router-template.ts";
import type { Endpoint } from "#kernel/endpoint.ts";
import { endpointsOf } from "#kernel/policy-family.ts";
import type { AnyResource } from "#kernel/resource.ts";

/** Every declared resource, by name. */
export const allResources = {
  enterprise: enterprise.enterprise,
  pop: pop.pop,
  cpe: cpe.cpe,
  line,
  lansection: lanSection.lanSection,
  staticroute: staticRoute,
  netSpace: netSpace.netSpace,
  user: user.user,
  role: role.role,
  apiKey: apiKey.apiKey,
  ...enterpriseResources,
  routerTemplate: routerTemplate.routerTemplate,
  ...siteResources,
  ...businessResources,
  account: mobileAccount.mobileAccount,
  xwanCircuit: circuit.circuit,
  cug,
  alarmStrategy: alarm.alarmStrategy,
  alarmRule: alarm.alarmRule,
  messageReceive: alarm.messageReceive,
} as const;
export type ResourceName = keyof typeof allResources;

const ofResource = (resource: AnyResource): Endpoint[] =>
  resource.verbs.map((verb: keyof AnyResource["ops"]) => resource.ops[verb] as Endpoint);

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === "object" && value !== null && "successCode" in value;

/** Every call of the wire. A bespoke call takes the place of a resource's own on the same path. */
export const allEndpoints: readonly Endpoint[] = (() => {
  const byPath = new Map<string, Endpoint>();
  for (const resource of Object.values(allResources)) {
    for (const one of ofResource(resource)) byPath.set(one.path, one);
  }
  for (const { template, manage } of policyFamilies) {
    for (const one of [...endpointsOf(template), ...endpointsOf(manage)]) byPath.set(one.path, one);
  }
  for (const module of [
    policy,
    session,
    signIn,
    factors,
    message,
    demonstration,
    enrolment,
    nodeState,
    nodeHistory,
    notice,
    enterprise,
    pop,
    cpe,
    lanSection,
    netSpace,
    link,
    user,
    role,
    apiKey,
    routerTemplate,
    mobileAccount,
    circuit,
    clientConfig,
    records,
    measures,
    ...enterpriseCalls,
    ...siteModules,
    ...businessCalls,
    ...reportCalls,
    live,
    alarm,
    alarmEvent,
    batch,
    cpeBatch,
  ]) {
    for (const one of Object.values(module).filter(isEndpoint)) byPath.set(one.path, one);
  }
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
})();
