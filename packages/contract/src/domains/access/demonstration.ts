/** The demonstration that `npm start` begins with, and the way out of it (design section 9). */

import { z } from "zod";
import { everySession } from "#contract/access.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";

export const demonstrationState = endpoint({
  id: "demonstration.state",
  method: "GET",
  path: "/customer/demonstration/state",
  input: z.object({}),
  /** `mayLeave`: the caller is the first administrator. */
  output: z.object({ active: z.boolean(), mayLeave: z.boolean() }),
  may: everySession("everyone is shown that it is the demonstration"),
});

/**
 * Ends the demonstration permanently: the controller starts over with an empty installation, whose
 * first administrator keeps the present password.
 */
export const demonstrationLeave = endpoint({
  id: "demonstration.leave",
  method: "POST",
  path: "/customer/demonstration/leave",
  input: z.object({}),
  output: nothing,
  may: everySession("its handler refuses all but user 1"),
});
