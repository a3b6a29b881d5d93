/** Mobile accounts as a POP serves them. */
import { z } from "zod";
import { stateLimits } from "#contract/device/v1/limits.ts";
import { interfaceName as ifname, netns, port, tunnelKey } from "#contract/device/v1/text.ts";
import { ipAddress, ipCidr } from "#rules/address.ts";

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
