/** Metrics over time (specification sections 2.3 and 2.4), in buckets of one width. */

import { z } from "zod";
import { nodeScreens, screens } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, readsMetrics } from "#kernel/endpoint.ts";
import { rangeFields, rangeIssue } from "#kernel/time-range.ts";

const rangeInput = z.object({ id: codec.id, ...rangeFields }).refine(...rangeIssue);

const reading = z.number().nullable();
const time = codec.instant;
/** Seconds that a bucket covers; selected by the length of the range and what is still kept. */
const step = z.number();

/** bit/s towards the device and away from it; null: nothing was measured, which is not zero. */
const ratePoint = z.object({ time, inRate: reading, outRate: reading });
/** ms, ms, percent, bit/s. */
const linkPoint = ratePoint.extend({ delay: reading, jitter: reading, loss: reading });
/** Percent. */
const loadPoint = z.object({ time, cpu: reading, mem: reading });

/** Throughput of each line of a node, CPE or POP. */
export const lineReport = readsMetrics(
  endpoint({
    id: "cpeReport.line",
    method: "GET",
    path: "/customer/cpeReport/line",
    input: rangeInput,
    output: z.object({
      step,
      items: z.array(
        z.object({
          /** Interface on the device. */
          name: z.string(),
          /** 1 to 4; null: an interface that is no line (any more). */
          slot: z.number().nullable(),
          lineName: z.string(),
          points: z.array(ratePoint),
        }),
      ),
    }),
    may: nodeScreens,
  }),
);

/** Processor and memory of a node, CPE or POP. */
export const performanceReport = readsMetrics(
  endpoint({
    id: "cpeReport.performance",
    method: "GET",
    path: "/customer/cpeReport/performance",
    input: rangeInput,
    output: z.object({ step, points: z.array(loadPoint) }),
    may: nodeScreens,
  }),
);

/** Quality and throughput of one link, as its probing end measured them. */
export const linkReport = readsMetrics(
  endpoint({
    id: "link.report",
    method: "GET",
    path: "/customer/link/report",
    input: rangeInput,
    output: z.object({ step, points: z.array(linkPoint) }),
    may: screens("/devopsmonitor/linkMonitor", "/sdwan-system/cpe", "/sdwan-system/pop"),
  }),
);
