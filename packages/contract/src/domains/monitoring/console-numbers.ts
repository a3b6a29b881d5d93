import { z } from "zod";
import { everySession } from "#contract/access.ts";
import { endpoint } from "#kernel/endpoint.ts";

/** Counts for the workplace and the badge of the approval queue (section 7.1). */
export const consoleNumbers = endpoint({
  id: "auth.userconsoleNumbers",
  method: "GET",
  path: "/customer/userconsole/numbers",
  input: z.object({}),
  output: z.object({
    enterprise: z.number(),
    cpe: z.number(),
    cpeOnline: z.number(),
    pop: z.number(),
    popOnline: z.number(),
    netSpace: z.number(),
    link: z.number(),
    linkUp: z.number(),
    enrolmentPending: z.number(),
    /** Those of POPs; the others are of CPEs. */
    enrolmentPendingPop: z.number(),
  }),
  may: everySession("numbers of rows in the data scope, which screens without rows need"),
});
