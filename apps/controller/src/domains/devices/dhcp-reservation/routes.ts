import { dhcpReservation } from "@weft/contract/domains/devices/dhcp-reservation.ts";
import type { FastifyInstance } from "fastify";
import { mountResource } from "#kernel/mount-resource.ts";
import { dhcpReservationStore, partnersOf } from "./store.ts";

/** Addresses that hosts of a CPE's LANs always get; the other device of its standby group keeps them as well. */
export function dhcpReservationRoutes(app: FastifyInstance): void {
  mountResource(app, dhcpReservation, dhcpReservationStore, {
    async afterWrite(ctx, { enterpriseId, touches }) {
      const nodeIds = await partnersOf(ctx, touches?.nodeIds ?? []);
      if (nodeIds.length > 0) await ctx.change({ enterpriseId, nodeIds });
    },
  });
}
