/** Proof of delivery: what became of messages to a recipient or a webhook. */
import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { pageFields } from "#kernel/endpoint.ts";
import { channels } from "./channels.ts";
import { deliveryPurposes, deliveryStates } from "./enums.ts";

/** One attempt to send a message. */
const attempt = z.object({
  at: codec.instant,
  /** Null: the process that sent it ended before it noted a result. */
  endTime: codec.instant.nullable(),
  /** HTTP status or SMTP code; null: there was no answer. */
  status: z.number().nullable(),
  /** What the receiver answered, or why it was not reached, cut to 500 characters. */
  answer: z.string(),
});

export const delivery = z.object({
  id: z.number(),
  /** The same for all attempts and replays of one message: header `webhook-id`. */
  key: z.string(),
  channel: codec.oneOf(channels),
  purpose: codec.oneOf(deliveryPurposes),
  /** Event of a webhook; empty: none. */
  event: z.string(),
  /** Address, its secret parts hidden. */
  address: z.string(),
  subject: z.string(),
  body: z.string(),
  state: codec.oneOf(deliveryStates),
  /** How often it was sent. */
  count: z.number(),
  /** Why it has not arrived; empty: it has, or was not tried yet. */
  error: z.string(),
  /** The newest ten, the newest first. */
  attempts: z.array(attempt),
  createTime: codec.instant,
  /** Of the next attempt; null: none follows. */
  nextTime: codec.instant.nullable(),
  endTime: codec.instant.nullable(),
});

/** Which deliveries: of one recipient or webhook (`id`), the newest first. */
export const deliveryQuery = z.object({
  id: codec.id,
  state: codec.orNull(codec.oneOf(deliveryStates)),
  ...pageFields,
});

/** Sends a message that has ended once more, as a message of its own with the same key. */
export const resendInput = z.object({ deliveryId: codec.id });
