/** BGP of a node in one space. */
import { z } from "zod";
import { inBuckets } from "#contract/device/v1/buckets.ts";
import { stateLimits } from "#contract/device/v1/limits.ts";
import { defineSection, fixed, requirePart } from "#contract/device/v1/section.ts";
import { interfaceName as ifname, netns } from "#contract/device/v1/text.ts";
import { ipAddress, ipCidr } from "#rules/address.ts";
import { ranges } from "#rules/number.ts";

/** An edge with this capability reads neighbours in buckets (`routing.<space>.<bucket>`). */
export const neighborBucketsCapability = "state.neighborBuckets";

/** Neighbours of a POP are spread over this many sections at most. */
export const neighborBuckets = 64;

export const routingSection = z.strictObject({
  spaceId: z.int().positive(),
  netns,
  asn: z.int().min(1).max(4_294_967_295),
  /** True on a POP: reflects routes between its clients (RFC 4456). */
  reflector: z.boolean(),
  bfd: z.strictObject({
    intervalMs: z.int().min(10).max(60_000),
    multiplier: z.int().min(2).max(50),
  }),
  /** Prefixes that this node announces. */
  announce: z.array(ipCidr).max(stateLimits.announced),
  /**
   * Of those that other sites announce as well: the place of this site, the lowest of those that answer is taken. Absent:
   * no other site announces any. Only for edges with `rankedSitesCapability`.
   */
  ranks: z
    .array(
      z.strictObject({
        prefix: ipCidr,
        preference: z.int().min(ranges.sitePreference[0]).max(ranges.sitePreference[1]),
      }),
    )
    .max(stateLimits.announced)
    .optional(),
  neighbors: z
    .array(
      z.strictObject({
        linkId: z.int().positive(),
        interfaceName: ifname,
        address4: ipAddress,
        address6: ipAddress,
        /** Local preference of what comes in by this link: higher wins. */
        preference: z.int().min(1).max(1_000),
        client: z.boolean(),
        /** Prefixes taken from this neighbour; null: any (a reflector is trusted). */
        accept: z.array(ipCidr).max(stateLimits.announced).nullable(),
      }),
    )
    .max(20_000),
});

/** Neighbours of a POP in one bucket, beside `routing.<space>`, which has none of them then. */
export const routingPart = routingSection.pick({ neighbors: true });

export type RoutingSection = z.output<typeof routingSection>;

export const routingDeclaration = defineSection(routingSection, {
  occurs: "perSpace",
  list: "routings",
  dividedFor: neighborBucketsCapability,
  parts: "divided",
  part: routingPart,
  // A POP has a neighbour for each link, each with what its site announces; a site has a few.
  divide: function* (routing, isDivided) {
    const divides = isDivided && routing.reflector;
    yield ["", divides ? { ...routing, neighbors: [] } : routing];
    if (!divides) return;
    const items = routing.neighbors.map((neighbor) => ({ id: neighbor.linkId, neighbor }));
    for (const [bucket, some] of inBuckets(items, neighborBuckets))
      yield [`${bucket}`, { neighbors: some.map(({ neighbor }) => neighbor) }];
  },
  join: (parts, name) => {
    const routing = routingSection.parse(requirePart(parts, "", name));
    const buckets = [...parts].filter(([part]) => part !== "");
    if (buckets.length === 0) return routing;
    const others = buckets.flatMap(([, bucket]) => routingPart.parse(bucket).neighbors);
    const neighbors = [...routing.neighbors, ...others].sort((a, b) => a.linkId - b.linkId);
    return { ...routing, neighbors };
  },
  limits: {
    announce: { rows: "announced" },
    ranks: { follows: "those of them that a place is given for" },
    neighbors: { follows: "a device has 13,716 ports for links" },
    "neighbors[].accept": { rows: "announced" },
  },
  fields: {
    spaceId: fixed,
    netns: fixed,
    asn: fixed,
    reflector: fixed,
    bfd: fixed,
    announce: { list: { kind: "announce", key: [] }, removal: "prefix", restored: "present" },
    ranks: { list: { kind: "rank", key: ["prefix"] }, removal: "setting", restored: "present" },
    neighbors: {
      list: { kind: "neighbor", key: ["linkId"] },
      removal: { of: "accept", as: "prefix", whileKept: true },
      restored: "present",
    },
  },
});
