import * as access from "#domains/access/domain.ts";
import * as delivery from "#domains/delivery/domain.ts";
import * as devices from "#domains/devices/domain.ts";
import * as enterprises from "#domains/enterprises/domain.ts";
import * as mobile from "#domains/mobile/domain.ts";
import * as monitoring from "#domains/monitoring/domain.ts";
import * as notifications from "#domains/notifications/domain.ts";
import * as overlay from "#domains/overlay/domain.ts";
import * as policies from "#domains/policies/domain.ts";
import { policyFamilies } from "#domains/policies/policy-families.ts";
import * as templates from "#domains/templates/domain.ts";
import type { Endpoint } from "#kernel/endpoint.ts";
import { endpointsOf } from "#kernel/policy-family.ts";
import type { AnyResource } from "#kernel/resource.ts";

const byName = {
  access,
  delivery,
  devices,
  enterprises,
  mobile,
  monitoring,
  notifications,
  overlay,
  policies,
  templates,
} as const;
const domains = Object.values(byName);

/** Every declared resource, by name. */
export const allResources = {
  ...access.resources,
  ...delivery.resources,
  ...devices.resources,
  ...enterprises.resources,
  ...mobile.resources,
  ...monitoring.resources,
  ...notifications.resources,
  ...overlay.resources,
  ...policies.resources,
  ...templates.resources,
} as const;
export type ResourceName = keyof typeof allResources;

const ofResource = (resource: AnyResource): Endpoint[] =>
  resource.verbs.map((verb: keyof AnyResource["ops"]) => resource.ops[verb] as Endpoint);

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === "object" && value !== null && "successCode" in value;

/** Every call of the wire. */
export const allEndpoints: readonly Endpoint[] = (() => {
  const byPath = new Map<string, Endpoint>();
  for (const resource of Object.values(allResources)) {
    for (const endpoint of ofResource(resource)) byPath.set(endpoint.path, endpoint);
  }
  for (const { template, manage } of policyFamilies) {
    for (const endpoint of [...endpointsOf(template), ...endpointsOf(manage)])
      byPath.set(endpoint.path, endpoint);
  }
  for (const module of domains.flatMap(({ calls }) => calls)) {
    for (const endpoint of Object.values(module).filter(isEndpoint))
      byPath.set(endpoint.path, endpoint);
  }
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
})();

const domainsByPath: ReadonlyMap<string, string> = new Map(
  Object.entries(byName).flatMap(([name, { resources, calls }]) => {
    const endpoints = Object.values(resources as Record<string, AnyResource>).flatMap(ofResource);
    const bespoke = calls.flatMap((module) => Object.values(module).filter(isEndpoint));
    return [...endpoints, ...bespoke].map(({ path }) => [path, name] as const);
  }),
);

/** The domain that a call belongs to: "devices". The families of policies are of one. */
export const domainOf = (path: string): string => domainsByPath.get(path) ?? "policies";
