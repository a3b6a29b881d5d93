import { cpeLeases } from "@weft/contract/domains/devices/host-lease.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import { readLeases } from "./store.ts";

/** What the device of a CPE gave hosts of its LANs; leases that ended are no longer listed. */
export function hostLeaseRoutes(app: FastifyInstance): void {
  mount(app, cpeLeases, async ({ id }, ctx) => (await readLeases(ctx, id)) ?? refuse("notFound"));
}
