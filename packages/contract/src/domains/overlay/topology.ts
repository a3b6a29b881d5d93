/** Who is linked with whom, now and before (section 7.3). */

import { z } from "zod";
import { screens } from "#contract/access.ts";
import { nodeKinds } from "#domains/devices/enums.ts";
import { healthFields } from "#domains/devices/health.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, pagedEndpoint, pageFields, readsMetrics } from "#kernel/endpoint.ts";
import { failsWith } from "#kernel/rule.ts";
import { linkRow } from "./link.ts";

/** A node of the picture. */
const topNode = z.object({
  id: z.number(),
  kind: z.enum(nodeKinds),
  name: z.string(),
  groupid: z.number(),
  /** 1 online; null: not known for that time. */
  linkStatus: z.number().nullable(),
  /** As lists call it now; null: never looked at, or a past moment. */
  ...healthFields,
  longitude: z.number().nullable(),
  latitude: z.number().nullable(),
  links: z.number(),
  linksUp: z.number(),
});

const picture = z.object({ nodes: z.array(topNode), links: z.array(linkRow) });

/** Nodes and links of an enterprise, or of all that the caller sees; at most 2,000 links. */
export const topAllInfo = endpoint({
  id: "top.allInfo",
  method: "GET",
  path: "/customer/top/allInfo",
  input: z.object({ groupid: codec.orNull(codec.id) }),
  output: picture,
  may: "topLink",
});

/**
 * What there was at a past moment: nodes and links that are still there and were made by then, and
 * who was online as the log of contact shows. Metrics of links belong to the present moment only: null.
 */
export const topDateInfo = endpoint({
  id: "top.DateInfo",
  method: "GET",
  path: "/customer/top/DateInfo",
  input: z.object({ groupid: codec.orNull(codec.id), date: codec.instant }),
  output: picture,
  may: "topLink",
});

export const topSingle = endpoint({
  id: "top.getSingleTerminalInfo",
  method: "GET",
  path: "/customer/top/getSingleTerminalInfo",
  input: z.object({ cpeId: codec.id }),
  output: z.object({ node: topNode, lines: z.array(linkRow) }),
  may: "topLink",
});

const maxDays = 731;

/** Quality and throughput of one link of the picture over time. */
export const topLineHistory = readsMetrics(
  endpoint({
    id: "top.lineHistoryInfo",
    method: "GET",
    path: "/customer/top/lineHistoryInfo",
    input: z.object({ lineId: codec.id, startTime: codec.instant, endTime: codec.instant }).refine(
      ({ startTime, endTime }) => {
        const ms = endTime.getTime() - startTime.getTime();
        return ms > 0 && ms <= maxDays * 86_400_000;
      },
      failsWith("notAllowed", {}, ["endTime"]),
    ),
    output: z.array(
      z.object({
        time: codec.instant,
        delay: z.number().nullable(),
        jitter: z.number().nullable(),
        loss: z.number().nullable(),
        inRate: z.number().nullable(),
        outRate: z.number().nullable(),
      }),
    ),
    may: "topLink",
  }),
);

/** When a device came into contact and when it was lost, the newest first. */
export const cpeLinkLog = pagedEndpoint({
  id: "cpeLinkLog.list",
  method: "GET",
  path: "/customer/cpeLinkLog/list",
  input: z.object({
    ...pageFields,
    cpeId: codec.id,
    startTime: codec.orNull(codec.instant),
    endTime: codec.orNull(codec.instant),
  }),
  output: z.object({
    id: z.number(),
    cpeId: z.number(),
    /** 1 online, else offline. */
    status: z.number(),
    /** Where the socket came from; null: it was lost. */
    content: z.string().nullable(),
    createTime: codec.instant,
  }),
  may: screens("/devopsmonitor/logs/cpe", "/sdwan-system/cpe"),
});
