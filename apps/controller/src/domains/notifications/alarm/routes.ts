import {
  alarmRule,
  alarmStrategy,
  alarmStrategyShare,
} from "@weft/contract/domains/notifications/alarm.ts";
import {
  alarmEventHandle,
  alarmEventList,
} from "@weft/contract/domains/notifications/alarm-event.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { handleEvents, listEvents } from "./events.ts";
import { alarmRuleStore, alarmStrategyStore, shareStrategy } from "./store.ts";

/** Alarm policies, their rules and events; jobs/alarms.ts raises and clears them. */
export function alarmRoutes(app: FastifyInstance): void {
  mountResource(app, alarmStrategy, alarmStrategyStore);
  mountResource(app, alarmRule, alarmRuleStore);
  mount(app, alarmStrategyShare, async ({ id, share }, ctx) => {
    await shareStrategy(ctx, id, share);
    return null;
  });
  mount(app, alarmEventList, (query, ctx) => listEvents(ctx, query));
  mount(app, alarmEventHandle, async (input, ctx) => {
    await handleEvents(ctx, input);
    return null;
  });
}
