import { wallboardData } from "@weft/contract/domains/monitoring/wallboard.ts";
import { anyLink } from "@weft/contract/domains/overlay/link.ts";
import type { FastifyInstance } from "fastify";
import { countStates, readTraffic, readTrouble } from "#domains/monitoring/workplace/public.ts";
import { listLinks } from "#domains/overlay/link/public.ts";
import { mountWithMetrics } from "#kernel/mount.ts";
import { listDevices } from "./store.ts";

const maxLinks = 100;

/** GET /customer/screen/data: what the wallboard shows. */
export function wallboardRoutes(app: FastifyInstance): void {
  mountWithMetrics(app, wallboardData, async (_, ctx) => {
    const down = { ...anyLink, status: 0 };
    const counts = await countStates(ctx);
    const [{ causes, causeCount }, devices, links, traffic] = await Promise.all([
      readTrouble(ctx, counts, { popId: null, isp: null, enterprises: null }),
      listDevices(ctx),
      listLinks(ctx, { ...down, page: 1, limit: maxLinks }),
      readTraffic(ctx),
    ]);
    return { counts, devices, links: links.rows, traffic, causes, causeCount };
  });
}
