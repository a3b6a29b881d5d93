import { wallboardData } from "@weft/contract/domains/monitoring/wallboard.ts";
import type { FastifyInstance } from "fastify";
import { countStates, listAttention, readTraffic } from "#domains/monitoring/workplace/public.ts";
import { listLinks } from "#domains/overlay/link/public.ts";
import { mount } from "#kernel/mount.ts";
import { listDevices } from "./store.ts";

const maxLinks = 100;

/** GET /customer/screen/data: what the wallboard shows. */
export function wallboardRoutes(app: FastifyInstance): void {
  mount(app, wallboardData, async (_, ctx) => {
    const down = { netSpaceId: null, nodeId: null, status: 0, name: null, worst: null };
    const [counts, devices, links, traffic, attention] = await Promise.all([
      countStates(ctx),
      listDevices(ctx),
      listLinks(ctx, { ...down, page: 1, limit: maxLinks }),
      readTraffic(app, ctx),
      listAttention(ctx),
    ]);
    return { counts, devices, links: links.rows, traffic, ...attention };
  });
}
