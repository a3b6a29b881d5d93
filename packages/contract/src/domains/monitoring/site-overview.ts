/** One page of a site or POP: how it is, how its paths did over time, and what happened on the same axis. */

import { z } from "zod";
import { nodeScreens } from "#contract/access.ts";
import { inBoth } from "#domains/access/record.ts";
import { stateOutcomes } from "#domains/delivery/enums.ts";
import { nodeState } from "#domains/delivery/node-state.ts";
import { enrolmentStates, nodeKinds } from "#domains/devices/enums.ts";
import { healthFields } from "#domains/devices/health.ts";
import { linkExcess } from "#domains/devices/link-quality.ts";
import { alarmLevels } from "#domains/notifications/enums.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, readsMetrics } from "#kernel/endpoint.ts";
import { rangeFields, rangeIssue } from "#kernel/time-range.ts";

/** Links of one axis at most, the worst first; `linkCount` says how many there are. */
export const maxAxisLinks = 12;
/** Marks of one kind at most, the newest. */
export const maxMarks = 200;

const reading = z.number().nullable();

/** A time in one state; what was not observed is unknown, never up. They follow each other without gaps. */
const stretch = z.object({
  from: codec.instant,
  to: codec.instant,
  state: z.enum(["up", "down", "unknown"]),
});
export type Stretch = z.output<typeof stretch>;

/** What is marked on the axis. */
export const markKinds = [
  /** Traffic that moved to another path. */
  "move",
  /** An alarm, from its start to its end. */
  "alarm",
  /** An entry of the operation log about the node. */
  "change",
  /** A configuration, from its making to its outcome. */
  "delivery",
] as const;
export type MarkKind = (typeof markKinds)[number];

const mark = z.object({
  kind: z.enum(markKinds),
  /** Of the alarm or of the log entry; serial of the configuration. */
  id: z.number(),
  from: codec.instant,
  /** null: it lasts, or it is a moment. */
  to: codec.instant.nullable(),
  /** Severity of an alarm. */
  level: codec.code(alarmLevels).nullable(),
  /** Of a configuration. */
  outcome: z.enum(stateOutcomes).nullable(),
  /** What happened, in Chinese and English; of a configuration the changes that it came from. */
  text: inBoth,
});
export type Mark = z.output<typeof mark>;

/** Loss in percent, round trip and jitter in ms, one value for each step; null: nothing was measured. */
const quality = z.object({
  loss: z.array(reading),
  delay: z.array(reading),
  jitter: z.array(reading),
});
export type Quality = z.output<typeof quality>;

const link = z.object({
  id: z.number(),
  /** WAN line of the node that it leaves by. */
  slot: z.number(),
  peer: z.object({
    id: z.number(),
    kind: z.enum(nodeKinds),
    name: z.string(),
    slot: z.number(),
  }),
  spaceName: z.string(),
  /** Known to be up now. */
  up: z.boolean(),
  /** As measured last; null: not measured now. */
  loss: reading,
  delay: reading,
  jitter: reading,
  /** What of it is beyond a limit; null: it does well, or it is down. */
  excess: linkExcess.nullable(),
  stretches: z.array(stretch),
  /** null: the store of metrics cannot be reached. */
  quality: quality.nullable(),
});

export const besideKinds = ["carrier", "pop", "line"] as const;
export type BesideKind = (typeof besideKinds)[number];

/**
 * Links beside the worst one, to distinguish the site's own trouble from that of others: of the same carrier and to
 * the same POP at other sites, and over the other lines of the node. Counts are those of the list of links with the same filters.
 */
const beside = z.object({
  kind: z.enum(besideKinds),
  isp: z.string().nullable(),
  pop: z.object({ id: z.number(), name: z.string() }).nullable(),
  links: z.number(),
  /** Of those, links that are down or whose quality is poor. */
  bad: z.number(),
});
export type Beside = z.output<typeof beside>;

export const siteOverview = readsMetrics(
  endpoint({
    id: "siteReport.overview",
    addition: "one call for the page of a site, which took fourteen",
    method: "GET",
    path: "/customer/siteReport/overview",
    input: z.object({ id: codec.id, ...rangeFields }).refine(...rangeIssue),
    output: z.object({
      node: z.object({
        id: z.number(),
        kind: z.enum(nodeKinds),
        name: z.string(),
        sn: z.string(),
        groupid: z.number(),
        enterpriseName: z.string(),
        linkStatus: z.number(),
        lastOnline: codec.instant.nullable(),
        enrolment: z.enum(enrolmentStates).nullable(),
        desiredSerial: z.number().nullable(),
        runningSerial: z.number().nullable(),
        linksUp: z.number(),
        links: z.number(),
        ...healthFields,
      }),
      /** As `nodeState.getById` gives it. */
      state: nodeState.output,
      /** Start of the first step, and seconds of each, of all values over time. */
      from: codec.instant,
      step: z.number(),
      /** When the device was in contact. */
      contact: z.array(stretch),
      lines: z.array(
        z.object({
          slot: z.number(),
          name: z.string(),
          interfaceName: z.string(),
          isp: z.string(),
          stretches: z.array(stretch),
        }),
      ),
      /** The worst first: down, then by loss and round trip. */
      links: z.array(link),
      linkCount: z.number(),
      /** Oldest first. */
      marks: z.array(mark),
      /** Without links there is nothing beside them. */
      beside: z.array(beside),
      /** Records of flows of the last week exist; null: the store of metrics cannot be reached. */
      hasFlows: z.boolean().nullable(),
    }),
    may: nodeScreens,
  }),
);
export type SiteOverview = z.output<typeof siteOverview.output>;
