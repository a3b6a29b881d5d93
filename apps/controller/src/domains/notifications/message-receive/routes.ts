import { channelFields } from "@weft/contract/domains/notifications/channels.ts";
import {
  messageReceive,
  messageReceiveDeliveries,
  messageReceiveResend,
  messageReceiveTest,
} from "@weft/contract/domains/notifications/message-receive.ts";
import type { InputOf } from "@weft/contract/kernel/endpoint.ts";
import type { Language, Message } from "@weft/contract/kernel/message.ts";
import type { FastifyInstance } from "fastify";
import { brandOf } from "#domains/enterprises/brand/public.ts";
import { inTimeZone, timeZoneOf } from "#domains/enterprises/param-config/public.ts";
import {
  listDeliveries,
  type Notice,
  render,
  resend,
} from "#domains/notifications/channel/public.ts";
import type { HandlerContext } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { mountResource } from "#kernel/mount-resource.ts";
import { refuse } from "#kernel/refuse.ts";
import { enqueueByHand } from "#outbox/enqueue.ts";
import { messageReceiveStore, readRecipient } from "./store.ts";

/** What a recipient reads when an operator tests a channel: pure. */
interface Tested {
  /** Of the recipient. */
  readonly name: string;
  readonly language: Language;
  /** Name of the operator's brand. */
  readonly brand: string;
  readonly at: Date;
  /** The same moment as the reader's time zone has it. */
  readonly shown: string;
}

function testNotice({ name, language, brand, at, shown }: Tested): Notice {
  const textOf = ([zh, en]: Message): string => (language === "zh_cn" ? zh : en);
  const subject = textOf([`[${brand} 告警] 测试消息`, `[${brand} alarm] Test message`]);
  const body = textOf([
    `这是发给接收人“${name}”的测试消息，发送于 ${shown}，没有告警发生。`,
    `This is a test message to the recipient “${name}”, sent ${shown}. There is no alarm.`,
  ]);
  const data = { recipient: name, language, subject, text: body };
  return { subject, body, short: `${subject}\n${body}`, type: "notification.test", at, data };
}

/** A user waits for the answer: later it is worth nothing. */
const testMinutes = 5;

/** Recipients of notifications, what became of their messages, and tests of their channels. */
export function messageReceiveRoutes(app: FastifyInstance): void {
  mountResource(app, messageReceive, messageReceiveStore(app.weft.vault));
  mount(app, messageReceiveTest, (input, ctx) => sendTest(ctx, input));
  mount(app, messageReceiveDeliveries, (query, ctx) => listDeliveries(ctx, "receiver", query));
  mount(app, messageReceiveResend, ({ deliveryId }, ctx) => resend(ctx, "receiver", deliveryId));
}

async function sendTest(
  ctx: HandlerContext,
  { id, channel }: InputOf<typeof messageReceiveTest>,
): Promise<{ id: number }> {
  const recipient = await readRecipient(ctx, id);
  const address = recipient[channelFields[channel].address];
  if (address === null) {
    refuse("notAllowedNow", {
      reason: ["接收人没有这个通道的地址", "the recipient has no address on this channel"],
    });
  }
  const { groupid: enterpriseId, name, language } = recipient;
  const at = new Date();
  const { name: brand } = await brandOf(ctx, enterpriseId);
  const shown = inTimeZone(at, await timeZoneOf(ctx, enterpriseId));
  const notice = testNotice({ name, language, brand: brand ?? "Weft", at, shown });
  const delivery = await enqueueByHand(ctx, {
    enterpriseId,
    channel,
    recipient: address,
    receiverId: id,
    ...render(channel, notice),
    purpose: "test",
    validMinutes: testMinutes,
  });
  await ctx.audit({
    resource: "messageReceive",
    rowId: id,
    enterpriseId,
    old: null,
    new: { name, channel },
  });
  return { id: delivery };
}
