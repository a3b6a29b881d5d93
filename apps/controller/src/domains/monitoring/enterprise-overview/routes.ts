import { enterpriseOverview } from "@weft/contract/domains/monitoring/enterprise-overview.ts";
import type { FastifyInstance } from "fastify";
import { paramsOf } from "#domains/enterprises/param-config/public.ts";
import { listExpiring } from "#domains/monitoring/expiring/public.ts";
import {
  enterpriseHealthOf,
  readEnterpriseSites,
  tonesOf,
} from "#domains/monitoring/health/public.ts";
import { countAlarms, countStates, readCauses } from "#domains/monitoring/workplace/public.ts";
import { mount } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import * as store from "./store.ts";

const maxCauses = 8;

/** GET /customer/enterpriseReport/overview: the page of one enterprise. */
export function enterpriseOverviewRoutes(app: FastifyInstance): void {
  mount(app, enterpriseOverview, async ({ groupid }, ctx) => {
    const enterpriseSites = (await readEnterpriseSites(ctx, groupid)) ?? refuse("notFound");
    const { name, isAgent, ids, groups } = enterpriseSites;
    const { expireNoticeDays } = await paramsOf(ctx, ctx.caller.enterpriseId);
    const { cpeTones } = await countStates(ctx);
    const [sites, causes, alarms, belongings, expiring] = await Promise.all([
      store.listTroubled(ctx, ids),
      readCauses(ctx, cpeTones, { popId: null, isp: null, enterprises: new Set(ids) }),
      countAlarms(ctx, ids),
      store.countBelongings(ctx, groupid),
      listExpiring(ctx, { days: expireNoticeDays, withEnded: true, of: ids, except: groupid }),
    ]);
    const { customers, ...has } = belongings;
    return {
      groupid,
      name,
      isAgent,
      health: enterpriseHealthOf(enterpriseSites),
      tones: tonesOf(groups.filter(({ isOwn }) => isOwn)),
      customerTones: tonesOf(groups.filter(({ isOwn }) => !isOwn)),
      customers,
      sites,
      causes: causes.slice(0, maxCauses),
      causeCount: causes.length,
      alarms,
      has,
      expiring,
    };
  });
}
