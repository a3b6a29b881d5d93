/** Lines of all sites of an enterprise, and their metrics over time (section 2.4). */

import { z } from "zod";
import { screens } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, pagedEndpoint, pageFields, readsMetrics } from "#kernel/endpoint.ts";
import { rangeFields, rangeIssue } from "#kernel/time-range.ts";

const reading = z.number().nullable();

export const enterpriseLineList = pagedEndpoint({
  id: "enterpriseReport.lineList",
  method: "GET",
  path: "/customer/enterpriseReport/lineList",
  input: z.object({ groupid: codec.id, ...pageFields }),
  output: z.object({
    id: z.number(),
    name: z.string(),
    cpeId: z.number(),
    alias: z.string(),
    slot: z.number(),
    interfaceName: z.string(),
    isp: z.string(),
    lineQuality: z.number(),
    /** kbit/s. */
    upBandwidth: reading,
    downBandwidth: reading,
    /** The device is online. */
    linkStatus: codec.flag,
  }),
  may: screens("/sdwan-system/enterprisemanage"),
});

/** Throughput of a line, with latency and loss of the worst link over it. */
export const enterpriseLineReport = readsMetrics(
  endpoint({
    id: "enterpriseReport.line",
    method: "GET",
    path: "/customer/enterpriseReport/line",
    input: z.object({ groupid: codec.id, lineId: codec.id, ...rangeFields }).refine(...rangeIssue),
    output: z.array(
      z.object({
        time: codec.instant,
        /** bit/s. */
        inRate: reading,
        outRate: reading,
        /** ms. */
        delay: reading,
        /** Percent. */
        loss: reading,
      }),
    ),
    may: screens("/sdwan-system/enterprisemanage"),
  }),
);
