/** How far a new installation, or a new enterprise in it, is on the way to its first living site. */

import { z } from "zod";
import { screens } from "#contract/access.ts";
import { endpoint } from "#kernel/endpoint.ts";

/** In the order in which they are done. Each is what really happened, not what was visited. */
export const beginningSteps = [
  /** There is a POP, of the caller's own or one that is shared with it. */
  "pop",
  /** The device of one is in contact. */
  "popOnline",
  /** The caller's enterprise has one below it. */
  "enterprise",
  /** There is a CPE. */
  "site",
  /** One has a WAN link and a LAN section. */
  "siteNetwork",
  /** The device of one is in contact. */
  "siteOnline",
  /** A network space has a POP and a CPE. */
  "space",
  /** Packets passed a tunnel of a CPE and came back. */
  "packet",
] as const;
export type BeginningStep = (typeof beginningSteps)[number];

const named = z.object({ id: z.number(), name: z.string() }).nullable();

export const beginning = endpoint({
  id: "dashboard.beginning",
  addition:
    "an empty installation leads through its first site; the specification has no call for it",
  method: "GET",
  path: "/customer/dashboard/beginning",
  input: z.object({}),
  output: z.object({
    /** Steps that happened. */
    done: z.array(z.enum(beginningSteps)),
    /** Devices that used a claim and wait for approval. */
    waiting: z.number(),
    /** The node that is furthest, of each kind; null: there is none. */
    pop: named,
    site: named,
  }),
  may: screens("/dashboard/workplace"),
});
