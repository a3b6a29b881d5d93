import {
  webhook,
  webhookDeliveries,
  webhookReplay,
  webhookTest,
} from "@weft/contract/domains/notifications/webhook.ts";
import type { FastifyInstance } from "fastify";
import { hookBody, listDeliveries, resend } from "#domains/notifications/channel/public.ts";
import type { HandlerContext } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { enqueueByHand } from "#outbox/enqueue.ts";
import { readWebhook, webhookStore } from "./store.ts";

/** A user waits for the answer: later it is worth nothing. */
const testMinutes = 5;
const testEvent = "webhook.test";

/** Webhooks, what became of their deliveries, tests and replays. */
export function webhookRoutes(app: FastifyInstance): void {
  mountResource(app, webhook, webhookStore(app.weft.vault));
  mount(app, webhookTest, ({ id }, ctx) => sendTest(ctx, id));
  mount(app, webhookDeliveries, (query, ctx) => listDeliveries(ctx, "webhook", query));
  mount(app, webhookReplay, ({ deliveryId }, ctx) => resend(ctx, "webhook", deliveryId));
}

async function sendTest(ctx: HandlerContext, id: number): Promise<{ id: number }> {
  const { groupid: enterpriseId, name, url } = await readWebhook(ctx, id);
  const delivery = await enqueueByHand(ctx, {
    enterpriseId,
    channel: "webhook",
    recipient: url,
    webhookId: id,
    event: testEvent,
    body: hookBody(testEvent, new Date(), { webhook: name }),
    subject: "",
    purpose: "test",
    validMinutes: testMinutes,
  });
  await ctx.audit({
    resource: "webhook",
    rowId: id,
    enterpriseId,
    old: null,
    new: { name, event: testEvent },
  });
  return { id: delivery };
}
