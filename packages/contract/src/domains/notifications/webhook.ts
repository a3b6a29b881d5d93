/** Webhooks: programs that are notified of events by signed HTTP requests. */
import { z } from "zod";
import type { Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, newId, pagedEndpoint } from "#kernel/endpoint.ts";
import { defineResource } from "#kernel/resource.ts";
import { failsWith } from "#kernel/rule.ts";
import * as text from "#rules/text.ts";
import { delivery, deliveryQuery, resendInput } from "./delivery.ts";
import { deliveryStates, type WebhookEvent, webhookEvents } from "./enums.ts";
import { requiredHookUrl } from "./hook-rules.ts";

/** Characters of a secret; a generated one has 32 random bytes. */
export const secretLength = { min: 24, max: 128 } as const;
/** How a secret begins whose rest is base64 of the key; any other secret is the key as it is. */
export const secretPrefix = "whsec_";

const known: ReadonlySet<string> = new Set(webhookEvents);
const events = codec.keyList
  .refine((given) => given.length > 0, failsWith("atLeastOne"))
  .refine(
    (events) => events.every((event) => known.has(event)),
    failsWith("oneOf", { values: webhookEvents.join(", ") }),
  );

export const webhook = defineResource({
  name: "webhook",
  title: ["Webhook", "Webhook"],
  addition: "programs of operators act on events; the specification has no such calls",
  path: "/customer/webhook",
  id: "id",
  row: z.object({
    id: z.number(),
    name: z.string(),
    groupid: z.number(),
    enterpriseName: z.string(),
    url: z.string(),
    hasSecret: codec.flag,
    events: codec.keyList,
    below: codec.flag,
    enable: codec.flag,
    /** Of the newest delivery; null: there is none. */
    lastState: codec.oneOf(deliveryStates).nullable(),
    lastTime: codec.instant.nullable(),
    remark: z.string(),
    createTime: codec.instant,
  }),
  draft: z.object({
    name: text.name,
    /** Whose it is; null: the caller's own. */
    groupid: codec.orNull(codec.id),
    url: requiredHookUrl,
    /** Secret for the signature of deliveries. Required for a new one; empty in an edit: it stays. */
    secret: codec
      .text(secretLength.max)
      .default("")
      .refine(
        (value) => value === "" || value.length >= secretLength.min,
        failsWith("tooShort", { min: secretLength.min }),
      ),
    events,
    /** Also events of the enterprises below. */
    below: codec.flag,
    enable: codec.flag,
    remark: text.remark,
  }),
  query: z.object({ name: codec.orNull(codec.text(64)), groupid: codec.orNull(codec.id) }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "name", "createTime"],
  sheet: {
    none: [
      "Webhook 须有密钥才能使用，而密钥不会导出到文件",
      "a webhook needs its secret, and secrets are not exported",
    ],
  },
  // Data leaves to a program, as with an API key: the permission to manage users covers both.
  may: {
    list: "sysUserList",
    add: "sysUserAdd",
    edit: "sysUserEdit",
    remove: "sysUserRemove",
    combo: null,
  },
});

/** Sends the event `webhook.test`. @returns id of the delivery, whose attempt follows within seconds. */
export const webhookTest = endpoint({
  id: "webhook.test",
  addition: "whether a receiver accepts deliveries is known before something happens",
  method: "POST",
  path: "/customer/webhook/test",
  input: z.object({ id: codec.id }),
  output: newId,
  may: "sysUserEdit",
});

export const webhookDeliveries = pagedEndpoint({
  id: "webhook.deliveries",
  addition: "an operator sees what was sent and what the receiver answered",
  method: "GET",
  path: "/customer/webhook/deliveries",
  input: deliveryQuery,
  output: delivery,
  may: "sysUserList",
});

/** Sends a delivery that has ended once more; receivers recognize it by its `webhook-id`. */
export const webhookReplay = endpoint({
  id: "webhook.replay",
  addition: "what a receiver missed is sent again after it is repaired",
  method: "POST",
  path: "/customer/webhook/replay",
  input: resendInput,
  output: newId,
  may: "sysUserEdit",
});

const all: readonly WebhookEvent[] = webhookEvents;

export const webhookSamples: Samples<typeof webhook> = {
  valid: ({ groupid }) => ({
    name: "工单系统",
    groupid,
    url: "https://192.0.2.30/weft",
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    events: ["alarm.opened", "alarm.ended"],
    below: true,
    enable: true,
    remark: "",
  }),
  edited: (ids) => ({
    ...webhookSamples.valid(ids),
    url: "https://192.0.2.30/events",
    secret: "",
    events: [...all],
    enable: false,
  }),
  distinct: ({ name }) => ({ name }),
  invalid: [
    { field: "name", value: "", rule: "required" },
    { field: "url", value: "", rule: "required" },
    { field: "url", value: "itsm.example.com", rule: "url" },
    { field: "secret", value: "short", rule: "tooShort" },
    { field: "events", value: [], rule: "atLeastOne" },
    { field: "events", value: ["alarm.gone"], rule: "oneOf" },
  ],
};
