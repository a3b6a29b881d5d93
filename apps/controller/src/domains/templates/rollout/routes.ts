import {
  routerTemplateRolloutGoOn,
  routerTemplateRolloutHalt,
  routerTemplateRolloutList,
  routerTemplateRolloutMembers,
  routerTemplateRolloutRollBack,
  routerTemplateRolloutStart,
} from "@weft/contract/domains/templates/rollout.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { continueRollout, haltRollout, rollBackRollout } from "./decisions.ts";
import { startRollouts } from "./start.ts";
import { listMembers, listRollouts } from "./store.ts";

/** Calls about versions that go out in waves. */
export function rolloutRoutes(app: FastifyInstance): void {
  mount(app, routerTemplateRolloutStart, async (input, ctx) => ({
    rolloutIds: await startRollouts(ctx, input),
  }));
  mount(app, routerTemplateRolloutList, (query, ctx) => listRollouts(ctx, query));
  mount(app, routerTemplateRolloutMembers, (query, ctx) => listMembers(ctx, query));
  mount(app, routerTemplateRolloutGoOn, async (read, ctx) => {
    await continueRollout(ctx, read);
    return null;
  });
  mount(app, routerTemplateRolloutHalt, async (read, ctx) => {
    await haltRollout(ctx, read);
    return null;
  });
  mount(app, routerTemplateRolloutRollBack, async (read, ctx) => {
    await rollBackRollout(ctx, read);
    return null;
  });
}
