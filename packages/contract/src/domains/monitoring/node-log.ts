/** Logs and rankings of one CPE or POP (section 2.4, cpeLog and popLog). */

import { z } from "zod";
import { type AnyGrant, screens } from "#contract/access.ts";
import { stateOutcomes } from "#domains/delivery/enums.ts";
import * as codec from "#kernel/codec.ts";
import {
  type Endpoint,
  pagedEndpoint,
  pageFields,
  type ReadsMetrics,
  readsMetrics,
} from "#kernel/endpoint.ts";
import { sessionLog, urlVisit } from "./flow-log.ts";

/**
 * What changed state: the device itself, one of its links or lines, a delivery to it, an alarm of it; or a
 * program of it that died and was started again.
 */
const transitionKinds = ["node", "link", "line", "state", "alarm", "repair"] as const;

const transition = z.object({
  id: z.number(),
  createTime: codec.instant,
  kind: z.enum(transitionKinds),
  /**
   * The other end of a link, the interface of a line, part and program of a repair ("routing bgpd"); empty:
   * the device, deliveries and alarms.
   */
  name: z.string(),
  /** Only of an alarm. */
  level: z.number().nullable(),
  /** Only of a delivery. */
  outcome: z.enum(stateOutcomes).nullable(),
  /** Null: no matter of up and down. */
  up: codec.flag.nullable(),
});

/** Traffic and records of one name; `count` is of sessions. */
const ranked = z.object({ name: z.string(), bytes: z.number(), count: z.number() });

/** Sessions of one source with one service, together. */
const connection = z.object({
  id: z.number(),
  /** Of the newest. */
  createTime: codec.instant,
  source: z.string(),
  destination: z.string(),
  destinationPort: z.number(),
  protocol: z.number(),
  bytes: z.number(),
  count: z.number(),
});

/** Tabs with what a row of each is, out of the database. */
const changes = { log: transition, lineLog: transition } as const;

/** The same out of the metrics store. An alarm here is a session that a rule refused. */
const records = {
  appRank: ranked,
  userRank: ranked,
  appAlarmRank: ranked,
  urlAlarmRank: ranked,
  urlVisitLog: urlVisit,
  con: connection,
} as const;

/** Without a range: the last 24 hours. */
const input = z.object({
  id: codec.id,
  startTime: codec.orNull(codec.instant),
  endTime: codec.orNull(codec.instant),
  ...pageFields,
});

type LogCall<Row extends z.ZodType> = Endpoint<typeof input, z.ZodArray<Row>, true>;
type Tabs = Readonly<Record<string, z.ZodType>>;
type Calls<Rows extends Tabs> = { readonly [Tab in keyof Rows]: LogCall<Rows[Tab]> };
type RecordCalls<Rows extends Tabs> = {
  readonly [Tab in keyof Rows]: LogCall<Rows[Tab]> & ReadsMetrics;
};

const callsOf = <Rows extends Tabs>(area: string, tabs: Rows, may: AnyGrant) =>
  Object.fromEntries(
    Object.entries(tabs).map(([tab, output]) => [
      tab,
      pagedEndpoint({
        id: `${area}.${tab}`,
        method: "GET",
        path: `/customer/${area}/${tab}`,
        input,
        output,
        may,
      }),
    ]),
  ) as unknown as Calls<Rows>;

const recordCallsOf = <Rows extends Tabs>(area: string, tabs: Rows, may: AnyGrant) =>
  Object.fromEntries(
    Object.entries(callsOf(area, tabs, may)).map(([tab, call]) => [tab, readsMetrics(call)]),
  ) as unknown as RecordCalls<Rows>;

const mayPop = screens("/devopsmonitor/logs/pop", "/sdwan-system/pop");
const mayCpe = screens("/devopsmonitor/logs/cpe", "/sdwan-system/cpe");

export const popLog = {
  ...callsOf("popLog", changes, mayPop),
  ...recordCallsOf("popLog", records, mayPop),
};
export const cpeLog = {
  ...callsOf("cpeLog", changes, mayCpe),
  ...recordCallsOf("cpeLog", { ...records, session: sessionLog }, mayCpe),
};
