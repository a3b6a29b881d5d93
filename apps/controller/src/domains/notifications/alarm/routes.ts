import {
  alarmRule,
  alarmStrategy,
  alarmStrategyShare,
} from "@weft/contract/domains/notifications/alarm.ts";
import {
  alarmEventGroups,
  alarmEventHandle,
  alarmEventList,
  alarmEventOwn,
  alarmEventOwners,
  alarmEventSnooze,
  alarmEventSummary,
} from "@weft/contract/domains/notifications/alarm-event.ts";
import type { FastifyInstance } from "fastify";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { handleEvents, listOwners, ownEvents, snoozeEvents } from "./event-actions.ts";
import { listEvents, summarizeEvents } from "./events.ts";
import { listGroups } from "./inbox-store.ts";
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
  mount(app, alarmEventSummary, (_, ctx) => summarizeEvents(ctx));
  mount(app, alarmEventHandle, async (input, ctx) => {
    await handleEvents(ctx, input);
    return null;
  });
  mount(app, alarmEventGroups, (query, ctx) => listGroups(ctx, query));
  mount(app, alarmEventOwners, (query, ctx) => listOwners(ctx, query));
  mount(app, alarmEventOwn, async (input, ctx) => {
    await ownEvents(ctx, input);
    return null;
  });
  mount(app, alarmEventSnooze, async (input, ctx) => {
    await snoozeEvents(ctx, input);
    return null;
  });
}
