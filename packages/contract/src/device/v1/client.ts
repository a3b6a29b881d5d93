/** Mobile accounts as a POP serves them. */
import { z } from "zod";
import { inBuckets } from "#contract/device/v1/buckets.ts";
import { stateLimits } from "#contract/device/v1/limits.ts";
import { defineSection, fixed } from "#contract/device/v1/section.ts";
import { interfaceName as ifname, netns, port, tunnelKey } from "#contract/device/v1/text.ts";
import { ipAddress, ipCidr } from "#rules/address.ts";

/** An edge with this capability reads accounts in buckets (`client.<space>.<bucket>`). */
export const clientBucketsCapability = "state.clientBuckets";

/** Accounts that enter a space are spread over this many sections at most. */
export const clientBuckets = 64;

const rate = z.int().min(1).nullable();

/** A mobile account as a peer of the POP. */
export const clientPeerState = z.strictObject({
  /** Of the account. */
  id: z.int().positive(),
  publicKey: tunnelKey,
  /** Its address in the space; nothing else is taken from it. */
  address: ipAddress,
  /** bit/s to it and from it; null: no limit. */
  down: rate,
  up: rate,
  /** Ms since 1970 from which on it is no longer admitted, with or without a controller; null: no end. */
  until: z.int().min(0).nullable(),
});
export type ClientPeerState = z.output<typeof clientPeerState>;

/** People on the road who enter a space at this POP: one interface, a peer an account. */
export const clientSection = z.strictObject({
  spaceId: z.int().positive(),
  netns,
  /** wm<space>. */
  interfaceName: ifname,
  listenPort: port,
  /** Line that carries it: its packets bear that line's mark. */
  slot: z.int().min(1).max(4),
  mtu: z.int().min(1_000).max(1_450),
  /** The POP's own address in the pool, with the pool's length. */
  address: ipCidr,
  peers: z.array(clientPeerState).max(stateLimits.clientPeers),
});
export type ClientSection = z.output<typeof clientSection>;

/** `client.<space>`, or `client.<space>.<bucket>`: a space without accounts has one too, as the interface is there. */
export const clientDeclaration = defineSection(clientSection, {
  occurs: "perSpace",
  list: "clients",
  isOptional: true,
  dividedFor: clientBucketsCapability,
  parts: "divided",
  divide: function* (client, isDivided) {
    const buckets = isDivided ? inBuckets(client.peers, clientBuckets) : [];
    if (!isDivided) yield ["", client];
    else if (buckets.length === 0) yield ["0", client];
    for (const [bucket, peers] of buckets) yield [`${bucket}`, { ...client, peers }];
  },
  join: (parts) => {
    const buckets = [...parts.values()].map((bucket) => clientSection.parse(bucket));
    const peers = buckets.flatMap((bucket) => bucket.peers).sort((a, b) => a.id - b.id);
    return { ...(buckets.at(-1) as ClientSection), peers };
  },
  limits: { peers: { rows: "clientPeers" } },
  fields: {
    spaceId: fixed,
    netns: fixed,
    interfaceName: fixed,
    listenPort: fixed,
    slot: fixed,
    mtu: fixed,
    address: fixed,
    peers: { list: { kind: "account", key: ["id"] }, removal: "account", restored: "present" },
  },
});
