/** Reports of a CPE or POP, of one of its lines, and of a mobile account (section 2.4). */

import { z } from "zod";
import { nodeScreens, screens } from "#contract/access.ts";
import { inBoth } from "#domains/access/record.ts";
import { nodeKinds } from "#domains/devices/enums.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, pagedEndpoint, pageFields, readsMetrics } from "#kernel/endpoint.ts";
import { rangeFields, rangeIssue } from "#kernel/time-range.ts";
import { bytePoint } from "./flow-log.ts";

/** Null: nothing was measured, which is not zero. */
const reading = z.number().nullable();
const time = codec.instant;
/** bit/s towards the device and away from it. */
const rates = { inRate: reading, outRate: reading };
/** ms, ms, percent. */
const quality = { delay: reading, jitter: reading, loss: reading };
/** Percent. */
const load = { cpu: reading, mem: reading };
/** Seconds that a bucket covers. */
const step = z.number();

const ofRow = z.object({ id: codec.id });
const ofRange = z.object({ id: codec.id, ...rangeFields }).refine(...rangeIssue);
const items = <Point extends z.ZodType>(point: Point) =>
  z.object({
    step,
    items: z.array(
      z.object({
        /** Interface on the device. */
        name: z.string(),
        /** 1 to 4; null: an interface that is no line. */
        slot: z.number().nullable(),
        lineName: z.string(),
        points: z.array(point),
      }),
    ),
  });

const report = <I extends z.ZodType, O extends z.ZodType>(name: string, input: I, output: O) =>
  endpoint({
    id: `cpeReport.${name}`,
    method: "GET",
    path: `/customer/cpeReport/${name}`,
    input,
    output,
    may: nodeScreens,
  });

/** The newest metrics of a node within five minutes; time null: there are none. */
export const detailReport = readsMetrics(
  report("detail", ofRow, z.object({ time: time.nullable(), ...rates, ...quality, ...load })),
);

/** Throughput and bytes of all lines of a node together. */
export const flowReport = readsMetrics(
  report("flow", ofRange, z.object({ step, points: z.array(bytePoint.extend(rates)) })),
);

/** Throughput of the lines of a node that are mobile ones; without one there are no items. */
export const fourGReport = readsMetrics(
  report("fourG", ofRange, items(z.object({ time, ...rates }))),
);

/** Throughput of every interface that a device reports, beside its lines those that are none. */
export const armFlowReport = readsMetrics(
  report("armFlow", ofRange, items(z.object({ time, ...rates }))),
);

/** Processor and memory, and the quality of the worst link. */
export const armPerformanceReport = readsMetrics(
  report(
    "armPerformance",
    ofRange,
    z.object({ step, points: z.array(z.object({ time, ...load, ...quality })) }),
  ),
);

/** One line: its throughput beside delay and loss of the worst link over it. */
export const lineTableReport = readsMetrics(
  report(
    "lineTable",
    z.object({ lineId: codec.id, ...rangeFields }).refine(...rangeIssue),
    z.object({
      nodeId: z.number(),
      nodeKind: z.enum(nodeKinds),
      nodeName: z.string(),
      slot: z.number(),
      lineName: z.string(),
      interfaceName: z.string(),
      isp: z.string(),
      points: z.array(z.object({ time, ...rates, delay: reading, loss: reading })),
    }),
  ),
);

/** Nodes that a CPE has links with, those that are down first. */
export const neighborReport = report(
  "neighbor",
  ofRow,
  z.array(
    z.object({
      id: z.number(),
      kind: z.enum(nodeKinds),
      name: z.string(),
      linkStatus: codec.flag,
      links: z.number(),
      linksUp: z.number(),
      /** Of the best link between the two, as measured last. */
      delay: reading,
    }),
  ),
);

const clientReport = <O extends z.ZodType>(name: string, output: O) =>
  endpoint({
    id: `clientReport.${name}`,
    method: "GET",
    path: `/customer/clientReport/${name}`,
    input: ofRange,
    output,
    may: "clientInfo",
  });

/** What a mobile account moved, out of the records of its sessions. */
export const clientFlow = readsMetrics(clientReport("flow", z.array(bytePoint)));

/** Delay, jitter and loss of a mobile account's sessions. */
export const clientPerformance = readsMetrics(
  clientReport("performance", z.array(z.object({ time, ...quality }))),
);

/** What was done to a mobile account, newest first. */
export const clientJournal = pagedEndpoint({
  id: "clientReport.journal",
  method: "GET",
  path: "/customer/clientReport/journal",
  input: z.object({ id: codec.id, ...pageFields }),
  output: z.object({
    id: z.number(),
    createTime: time,
    /** Id of the call that did it. */
    action: z.string(),
    /** As the operation log says it, in Chinese and English. */
    story: inBoth,
    loginName: z.string(),
    ip: z.string(),
  }),
  may: "clientInfo",
});

export const watchedKinds = ["node", "line", "link"] as const;

/** How long something was up in each of the buckets of a range; a bucket is `step` seconds long. */
export const availability = endpoint({
  id: "availability.find",
  method: "GET",
  path: "/customer/availability/find",
  input: z
    .object({ kind: codec.oneOf(watchedKinds), id: codec.id, ...rangeFields })
    .refine(...rangeIssue),
  output: z.object({
    step,
    /** Of the time that is known; null: nothing is. */
    percent: reading,
    /** Seconds of the whole range. What was not observed is unknown, never up. */
    up: z.number(),
    down: z.number(),
    unknown: z.number(),
    /** Times that it went down. */
    outages: z.number(),
    buckets: z.array(z.object({ time, up: z.number(), down: z.number(), unknown: z.number() })),
  }),
  may: screens("/sdwan-system/cpe", "/sdwan-system/pop", "/devopsmonitor/linkMonitor"),
});
