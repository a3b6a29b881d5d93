/** Root causes: what explains the trouble of several sites is one entry, not as many as there are sites. */
import { z } from "zod";
import { healthDetail, healthStateList } from "#domains/devices/health.ts";
import * as codec from "#kernel/codec.ts";

/** What trouble has in common. */
export const causeKinds = [
  /** Many devices lost the controller at the same time: the controller or its network is the cause. */
  "contact",
  /** Links of one POP, over several carriers. */
  "pop",
  /** WAN links of one carrier, at several sites; of one POP only, if `popId` says so. */
  "carrier",
  /** Several nodes are in the same state. */
  "state",
  /** One node. */
  "node",
] as const;
export type CauseKind = (typeof causeKinds)[number];

/** Nodes that a cause names; `sites` says how many there are. */
export const maxNamed = 5;

export const rootCause = z.object({
  kind: z.enum(causeKinds),
  tone: z.enum(["bad", "warn"]),
  /** Of the nodes; null where links are the cause. */
  state: z.enum(healthStateList).nullable(),
  /** What the sentence names, of one node. */
  detail: healthDetail,
  popId: z.number().nullable(),
  popName: z.string(),
  /** Carrier; empty: none is concerned. */
  isp: z.string(),
  /** Nodes concerned, and the enterprises that they belong to. */
  sites: z.number(),
  enterprises: z.number(),
  named: z.array(
    z.object({
      id: z.number(),
      kind: z.enum(["cpe", "pop"]),
      name: z.string(),
      enterpriseName: z.string(),
    }),
  ),
  /** Links concerned, and their worst loss in percent. */
  links: z.number(),
  loss: z.number().nullable(),
  since: codec.instant.nullable(),
});
export type RootCause = z.output<typeof rootCause>;

/** Links between the sites of the caller and one POP over one carrier of the sites. */
export const heatCell = z.object({
  popId: z.number(),
  isp: z.string(),
  sites: z.number(),
  /** Sites of them with a link that is down, and those whose links are only poor. */
  down: z.number(),
  poor: z.number(),
  /** Worst loss of those, percent. */
  loss: z.number().nullable(),
});
export type HeatCell = z.output<typeof heatCell>;
