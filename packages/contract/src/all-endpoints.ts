import { businessCalls, businessResources } from "#contract/business-area.ts";
import * as alarmEvent from "#contract/calls/alarm-event.ts";
import * as batch from "#contract/calls/batch.ts";
import * as clientConfig from "#contract/calls/client-config.ts";
import * as cpeBatch from "#contract/calls/cpe-batch.ts";
import * as demonstration from "#contract/calls/demonstration.ts";
import * as enrolment from "#contract/calls/enrolment.ts";
import * as factors from "#contract/calls/factors.ts";
import * as live from "#contract/calls/live.ts";
import * as measures from "#contract/calls/measures.ts";
import * as message from "#contract/calls/message.ts";
import * as nodeHistory from "#contract/calls/node-history.ts";
import * as nodeState from "#contract/calls/node-state.ts";
import * as notice from "#contract/calls/notice.ts";
import * as policy from "#contract/calls/policy.ts";
import * as records from "#contract/calls/records.ts";
import * as session from "#contract/calls/session.ts";
import * as signIn from "#contract/calls/sign-in.ts";
import { enterpriseCalls, enterpriseResources } from "#contract/enterprise-area.ts";
import { reportCalls } from "#contract/report-area.ts";
import { siteModules, siteResources } from "#contract/site-endpoints.ts";
import type { Endpoint } from "#kernel/endpoint.ts";
import { endpointsOf } from "#kernel/policy-family.ts";
import type { AnyResource } from "#kernel/resource.ts";
import * as alarm from "#resources/alarm.ts";
import * as apiKey from "#resources/api-key.ts";
import * as circuit from "#resources/circuit.ts";
import * as cpe from "#resources/cpe.ts";
import { cug } from "#resources/cug.ts";
import * as enterprise from "#resources/enterprise.ts";
import * as lanSection from "#resources/lan-section.ts";
import { line } from "#resources/line.ts";
import * as link from "#resources/link.ts";
import * as mobileAccount from "#resources/mobile-account.ts";
import * as netSpace from "#resources/net-space.ts";
import { policyFamilies } from "#resources/policy-families.ts";
import * as pop from "#resources/pop.ts";
import * as role from "#resources/role.ts";
import * as routerTemplate from "#resources/router-template.ts";
import { staticRoute } from "#resources/static-route.ts";
import * as user from "#resources/user.ts";

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
