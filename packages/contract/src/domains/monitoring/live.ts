import { z } from "zod";
import { everySession } from "#contract/access.ts";
import { endpoint } from "#kernel/endpoint.ts";

/**
 * What changed state: a device came or went, a link or line went up or down, a delivery got further, an
 * alarm was raised, cleared or handled, a program of a device was started again, a node is called by another
 * state of health.
 */
export const liveKinds = ["node", "link", "line", "state", "alarm", "repair", "health"] as const;

export const liveEvent = z.object({
  kind: z.enum(liveKinds),
  nodeId: z.number(),
  linkId: z.number().nullable(),
  /** Interface of a line, outcome of a state, level of an alarm, part and program of a repair,
   * state of health. */
  name: z.string().nullable(),
  /** Null: no matter of up and down. */
  up: z.boolean().nullable(),
  /** When the controller wrote it, ms since 1970. */
  at: z.number(),
});
export type LiveEvent = z.output<typeof liveEvent>;

/** A ticket for one stream of events, to be opened within 30 s. */
export const liveTicket = endpoint({
  id: "live.ticket",
  method: "GET",
  path: "/customer/live/ticket",
  input: z.object({}),
  output: z.object({ ticket: z.string() }),
  may: everySession("its stream has what reading calls of the caller show, in the data scope"),
  secret: true,
});
