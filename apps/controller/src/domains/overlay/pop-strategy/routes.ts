import {
  popGroup,
  popGroupCombo,
  popGroupDefList,
  popStrategy,
  popStrategySites,
} from "@weft/contract/domains/overlay/pop-strategy.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { settlingGroups, settlingStrategies } from "./settle.ts";
import { listSites } from "./sites.ts";
import { listGroupCombo, listGroupPops, popGroupStore, popStrategyStore } from "./store.ts";

/** Calls of /customer/popStrategy, popGroup and popGroupDef (specification section 7.2). */
export function popStrategyRoutes(app: FastifyInstance): void {
  mountResource(app, popStrategy, settlingStrategies(popStrategyStore));
  mount(app, popStrategySites, (input, ctx) => listSites(ctx, input));
  mountResource(app, popGroup, settlingGroups(popGroupStore), {}, ["combo"]);
  mount(app, popGroupCombo, ({ strategyId }, ctx) => listGroupCombo(ctx, strategyId));
  mount(app, popGroupDefList, (input, ctx) => listGroupPops(ctx, input));
}
