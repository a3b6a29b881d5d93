/** Links of a device, each carried by a tunnel of its own. */
import { z } from "zod";
import { inBuckets } from "#contract/device/v1/buckets.ts";
import { defineSection, fixed } from "#contract/device/v1/section.ts";
import { interfaceName as ifname, netns, port, tunnelKey } from "#contract/device/v1/text.ts";
import { ipAddress, ipCidr } from "#rules/address.ts";

/** Links of a space are spread over this many sections at most. */
export const linkBuckets = 64;

export const linkState = z.strictObject({
  id: z.int().positive(),
  /** wl<id>. */
  interfaceName: ifname,
  listenPort: port,
  /** Line that carries it: its packets bear that line's mark. */
  slot: z.int().min(1).max(4),
  mtu: z.int().min(1_000).max(1_450),
  /** Own inner addresses, /31 and /127. */
  address4: ipCidr,
  address6: ipCidr,
  peerAddress4: ipAddress,
  peerAddress6: ipAddress,
  peerKey: tunnelKey,
  /** address:port of the other end ([v6]:port for IPv6); null: it calls us. */
  endpoint: z.string().max(64).nullable(),
  /** This end measures rtt, jitter and loss. */
  probe: z.boolean(),
});
export type LinkState = z.output<typeof linkState>;

/** Links of a space in one bucket: one edit on a hub of thousands costs one bucket. */
export const tunnelSection = z.strictObject({
  spaceId: z.int().positive(),
  /** Network namespace that the tunnels end in; null: the main one (a CPE). */
  netns,
  links: z.array(linkState).max(1_024),
});

export type TunnelSection = z.output<typeof tunnelSection>;

/** `tunnel.<space>.<bucket>`: a bucket without links has no section. */
export const tunnelDeclaration = defineSection(tunnelSection, {
  occurs: "perSpace",
  list: "tunnels",
  parts: "always",
  divide: function* (tunnel) {
    for (const [bucket, links] of inBuckets(tunnel.links, linkBuckets))
      yield [`${bucket}`, { ...tunnel, links }];
  },
  join: (parts) => {
    const buckets = [...parts.values()].map((bucket) => tunnelSection.parse(bucket));
    const links = buckets.flatMap((bucket) => bucket.links).sort((a, b) => a.id - b.id);
    return { ...(buckets.at(-1) as TunnelSection), links };
  },
  limits: { links: { follows: "a device has 13,716 ports for links, spread over the buckets" } },
  fields: {
    spaceId: fixed,
    netns: fixed,
    links: { list: { kind: "link", key: ["id"] }, removal: "link", restored: "present" },
  },
});
