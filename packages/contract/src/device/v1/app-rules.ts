/**
 * How many rules of its firewall a device makes at most of a rule that names an application group. The edge's own test
 * holds what it renders against these numbers.
 */
import { type AppService, isPortService } from "./policy.ts";

interface Named {
  /** Services of the group. */
  readonly services: readonly AppService[];
  /** It names address groups or a next hop: it is written once for each family. */
  readonly isGrouped: boolean;
}

interface NamedByRoute extends Named {
  /** It has targets: it is asked as well about what static routes of the site lead elsewhere. */
  readonly isAimed: boolean;
  /** It denies, or comes before one that does, which then leaves out what this one sends somewhere. */
  readonly denial: "is" | "after" | null;
}

/** Ports are matched together, by a set; every other service is a match of its own. */
const matchesOf = ({ services, isGrouped }: Named): number => {
  const ports = services.some(isPortService) ? [{ target: null }] : [];
  return [...ports, ...services.filter((service) => !isPortService(service))]
    .map(({ target }) => (isGrouped && target === null ? 2 : 1))
    .reduce((sum, count) => sum + count, 0);
};

/** Ways of packets of flows that are denied: there, back, both of them reversed, and of no flow. */
const deniedWays = 5;
/** What shows that a route has sent a flow somewhere: its WAN link, or its path. */
const exits = 2;

export const appRulesOfRoute = (named: NamedByRoute): number => {
  const ways = named.isAimed ? 2 : 1;
  const denied = { is: deniedWays, after: deniedWays * exits };
  return matchesOf(named) * (ways + (named.denial ? denied[named.denial] : 0));
};

/** For each end that the host can be, and each way of packets. */
export const appRulesOfBandwidth = (named: Named): number => matchesOf(named) * 4;
