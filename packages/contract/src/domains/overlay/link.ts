import { z } from "zod";
import { screens } from "#contract/access.ts";
import { nodeKinds } from "#domains/devices/enums.ts";
import { linkExcess } from "#domains/devices/link-quality.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, newId, nothing, pagedEndpoint, pageFields } from "#kernel/endpoint.ts";
import { failsWith } from "#kernel/rule.ts";
import { ranges } from "#rules/number.ts";
import * as text from "#rules/text.ts";

/** One end of a link as the console shows it. */
const linkEnd = z.object({
  nodeId: z.number(),
  kind: z.enum(nodeKinds),
  name: z.string(),
  lineName: z.string(),
  slot: z.number(),
});

/** An overlay adjacency of two nodes over one pair of lines. Measures are the last reported ones. */
export const linkRow = z.object({
  id: z.number(),
  name: z.string(),
  netSpaceId: z.number(),
  netSpaceName: z.string(),
  source: linkEnd,
  target: linkEnd,
  /** True: an operator made it; false: the network space did, by itself. */
  made: codec.flag,
  /** False: an operator closed these two lines to each other, no tunnel is kept between them. */
  enable: codec.flag,
  /** True while there is a tunnel: false for a closed one, and while one cannot be made. */
  standing: codec.flag,
  /** 1 to 1000, the higher is taken first; null: by the slot of the line. */
  preference: z.number().nullable(),
  remark: z.string(),
  /** 1 up; 0 down or not yet reported. */
  status: z.number(),
  /** Round trip, jitter (RFC 3550) in ms; loss in percent; null: no measure yet. */
  delay: z.number().nullable(),
  jitter: z.number().nullable(),
  loss: z.number().nullable(),
  /** bit/s towards the source and away from it; null: no measure yet. */
  inRate: z.number().nullable(),
  outRate: z.number().nullable(),
  updateTime: codec.instant.nullable(),
  /** What of it is beyond a limit, measured over minutes; null: it does well, or it is down. */
  excess: linkExcess.nullable(),
});

export const linkList = pagedEndpoint({
  id: "link.list",
  method: "GET",
  path: "/customer/link/list",
  input: z.object({
    ...pageFields,
    netSpaceId: codec.orNull(codec.id),
    /** Links that end at this node. */
    nodeId: codec.orNull(codec.id),
    /** Links that do not end at this node. */
    besideId: codec.orNull(codec.id),
    /** Carrier of the line at one of the ends that is a site. */
    isp: codec.orNull(codec.text(64)),
    status: codec.orNull(codec.int(0, 1)),
    /** 1: only links that are down, or whose loss, delay or jitter is poor (link-quality.ts). */
    trouble: codec.orNull(codec.flag),
    name: codec.orNull(codec.text(64)),
    /** 1: after those that are down come the highest loss and delay; else by name. */
    worst: codec.orNull(codec.flag),
  }),
  output: linkRow,
  may: screens(
    "/business-system/overlay/linkManage",
    "/devopsmonitor/linkMonitor",
    "/sdwan-system/cpe",
    "/sdwan-system/pop",
    "cpeConfig",
    "popConfig",
  ),
});

/** All links: a question names what it narrows. */
export const anyLink = {
  netSpaceId: null,
  nodeId: null,
  besideId: null,
  isp: null,
  status: null,
  trouble: null,
  name: null,
  worst: null,
} as const;

/** What an operator says of a link beside its ends. */
const settings = {
  enable: codec.flag,
  /** 1 to 1000, as BGP's local preference (RFC 4271); null: by the POP's place and the slot (200 for wan1, 10 less a slot). */
  preference: codec.orNull(codec.int(1, 1_000)),
  remark: text.remark,
};
const slot = codec.int(...ranges.linesOfNode);

/** A link between two lines that the space would not make by itself. */
export const linkAdd = endpoint({
  id: "link.add",
  method: "POST",
  path: "/customer/link/add",
  input: z
    .object({
      netSpaceId: codec.id,
      /** Members of the space, CPE or POP, with one of their lines each. */
      sourceId: codec.id,
      sourceSlot: slot,
      targetId: codec.id,
      targetSlot: slot,
      ...settings,
    })
    .refine(
      ({ sourceId, targetId }) => sourceId !== targetId,
      failsWith("twoEnds", {}, ["targetId"]),
    ),
  output: newId,
  may: screens("/business-system/overlay/linkManage"),
});

/** Prefers or closes a link. Its ends never change: another pair of lines is another link. */
export const linkEdit = endpoint({
  id: "link.edit",
  method: "POST",
  path: "/customer/link/edit",
  input: z.object({ id: codec.id, ...settings }),
  output: nothing,
  may: screens("/business-system/overlay/linkManage"),
});

/** Undoes an operator's choice: a link that was added goes, one of the space is again as the space has it. */
export const linkRemove = endpoint({
  id: "link.remove",
  method: "POST",
  path: "/customer/link/remove",
  input: z.object({ ids: codec.someIds }),
  output: nothing,
  may: screens("/business-system/overlay/linkManage"),
});
