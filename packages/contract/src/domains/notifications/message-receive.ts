import { z } from "zod";
import { screens } from "#contract/access.ts";
import type { Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, newId, pagedEndpoint } from "#kernel/endpoint.ts";
import { languages } from "#kernel/message.ts";
import { defineResource } from "#kernel/resource.ts";
import { failsWith } from "#kernel/rule.ts";
import * as text from "#rules/text.ts";
import { type Channel, channelFields, channels } from "./channels.ts";
import { delivery, deliveryQuery, resendInput } from "./delivery.ts";
import { hookUrl, signingSecret } from "./hook-rules.ts";

const isOn = codec.flag.default(false);

const draft = z.object({
  name: text.name,
  /** Whose it is; null: the caller's own. */
  groupid: codec.orNull(codec.id),
  email: codec.orNull(text.email),
  emailFlag: codec.flag,
  phone: codec.orNull(text.phone),
  phoneFlag: codec.flag,
  /** Addresses of robots of a chat; that of WeChat Work has its key in it. */
  dingtalk: codec.orNull(hookUrl),
  dingtalkFlag: isOn,
  dingtalkSecret: signingSecret,
  wechat: codec.orNull(hookUrl),
  wechatFlag: isOn,
  feishu: codec.orNull(hookUrl),
  feishuFlag: isOn,
  feishuSecret: signingSecret,
  /** Gets the notification as JSON (docs/webhooks.md). */
  webhook: codec.orNull(hookUrl),
  webhookFlag: isOn,
  webhookSecret: signingSecret,
  /** Of the notifications. */
  language: codec.oneOf(languages),
  remark: text.remark,
});

type Draft = z.output<typeof draft>;
/** What is switched on has an address. */
const hasAddress =
  (channel: Channel) =>
  (given: Draft): boolean => {
    const { address, flag } = channelFields[channel];
    return !given[flag] || given[address] !== null;
  };

/** Who is notified of alarms, and by what. */
export const messageReceive = defineResource({
  name: "messageReceive",
  title: ["通知接收人", "Recipient"],
  path: "/customer/messageReceive",
  id: "id",
  row: z.object({
    id: z.number(),
    name: z.string(),
    groupid: z.number(),
    enterpriseName: z.string(),
    email: z.string().nullable(),
    emailFlag: codec.flag,
    phone: z.string().nullable(),
    phoneFlag: codec.flag,
    dingtalk: z.string().nullable(),
    dingtalkFlag: codec.flag,
    hasDingtalkSecret: codec.flag,
    wechat: z.string().nullable(),
    wechatFlag: codec.flag,
    feishu: z.string().nullable(),
    feishuFlag: codec.flag,
    hasFeishuSecret: codec.flag,
    webhook: z.string().nullable(),
    webhookFlag: codec.flag,
    hasWebhookSecret: codec.flag,
    language: z.enum(languages),
    /** Names of the policies that notify this recipient. */
    strategies: z.array(z.string()),
    remark: z.string(),
    createTime: codec.instant,
  }),
  draft: channels.reduce(
    (schema, channel) =>
      schema.refine(
        hasAddress(channel),
        failsWith("required", {}, [channelFields[channel].address]),
      ),
    draft,
  ),
  query: z.object({ name: codec.orNull(codec.text(64)), groupid: codec.orNull(codec.id) }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "name", "createTime"],
  sheet: { key: ["groupid", "name"] },
  may: {
    list: screens("/personalcenter/messageremanage", "alarmStrategyView"),
    add: screens("/personalcenter/messageremanage"),
    edit: screens("/personalcenter/messageremanage"),
    remove: screens("/personalcenter/messageremanage"),
    combo: null,
  },
});

/** Sends a test message by one channel. @returns id of the delivery, whose attempt follows within seconds. */
export const messageReceiveTest = endpoint({
  id: "messageReceive.test",
  addition: "whether a robot accepts messages must not first be known during an outage",
  method: "POST",
  path: "/customer/messageReceive/test",
  input: z.object({ id: codec.id, channel: codec.oneOf(channels) }),
  output: newId,
  may: screens("/personalcenter/messageremanage"),
});

export const messageReceiveDeliveries = pagedEndpoint({
  id: "messageReceive.deliveries",
  addition:
    "an operator proves that a notification was accepted; the specification has no log of it",
  method: "GET",
  path: "/customer/messageReceive/deliveries",
  input: deliveryQuery,
  output: delivery,
  may: screens("/personalcenter/messageremanage"),
});

export const messageReceiveResend = endpoint({
  id: "messageReceive.resend",
  addition: "what a receiver missed is sent again after it is repaired",
  method: "POST",
  path: "/customer/messageReceive/resend",
  input: resendInput,
  output: newId,
  may: screens("/personalcenter/messageremanage"),
});

export const messageReceiveSamples: Samples<typeof messageReceive> = {
  valid: ({ groupid }) => ({
    name: "值班组",
    groupid,
    email: "noc@example.com",
    emailFlag: true,
    phone: "13800000003",
    phoneFlag: false,
    // Addresses of documentation: wherever the samples are used, nothing is sent to anyone.
    dingtalk: "https://192.0.2.30/robot/send?access_token=0f1e2d3c",
    dingtalkFlag: false,
    dingtalkSecret: "SEC-of-the-robot",
    wechat: null,
    wechatFlag: false,
    feishu: null,
    feishuFlag: false,
    feishuSecret: "",
    webhook: null,
    webhookFlag: false,
    webhookSecret: "",
    language: "zh_cn",
    remark: "",
  }),
  edited: (ids) => ({
    ...messageReceiveSamples.valid(ids),
    name: "夜班",
    email: null,
    emailFlag: false,
    phoneFlag: true,
    wechat: "https://192.0.2.30/cgi-bin/webhook/send?key=1a2b3c4d",
    wechatFlag: true,
    feishu: "https://192.0.2.30/open-apis/bot/v2/hook/5e6f",
    webhook: "https://192.0.2.30/alarms",
    language: "en_gb",
  }),
  distinct: ({ name }) => ({ name }),
  invalid: [
    { field: "name", value: "", rule: "required" },
    { field: "email", value: "nobody", rule: "email" },
    { field: "email", value: null, rule: "required" },
    { field: "phone", value: "0571", rule: "phone" },
    { field: "dingtalk", value: "oapi.dingtalk.com", rule: "url" },
    { field: "language", value: "de", rule: "oneOf" },
  ],
};
