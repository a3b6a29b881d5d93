/**
 * Traffic and its records by device (specification section 7.3): two families of calls, /api/log and
 * /api/cklog, answer alike. `lable` is how the wire spells it.
 */

import { z } from "zod";
import { screens } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, pagedEndpoint, pageFields, readsMetrics } from "#kernel/endpoint.ts";
import { rangeFields, rangeIssue } from "#kernel/time-range.ts";

const bytes = z.number();
/** Null: nothing was measured, which is not zero. */
const maybeBytes = bytes.nullable();

/** Bytes towards the device and away from it, in one bucket. */
export const bytePoint = z.object({
  time: codec.instant,
  inBytes: maybeBytes,
  outBytes: maybeBytes,
});

/** One request for a web address, as the device saw it (IPFIX httpRequestHost and httpRequestTarget). */
export const urlVisit = z.object({
  /** Place in the answer: records have no id of their own. */
  id: z.number(),
  createTime: codec.instant,
  /** Host and path. */
  url: z.string(),
  /** Address behind the device. */
  source: z.string(),
  user: z.string(),
  bytes,
  /** True: a rule refused it. */
  denied: codec.flag,
});

/** One session of two addresses (an IPFIX biflow, RFC 5103). */
export const sessionLog = z.object({
  id: z.number(),
  createTime: codec.instant,
  /** How long it lasted, in seconds. */
  seconds: z.number(),
  source: z.string(),
  sourcePort: z.number(),
  destination: z.string(),
  destinationPort: z.number(),
  /** IANA protocol number: 6 TCP, 17 UDP, 1 ICMP. */
  protocol: z.number(),
  application: z.string(),
  user: z.string(),
  inBytes: bytes,
  outBytes: bytes,
  denied: codec.flag,
});

/** Traffic of two devices over all their links, seen from the one that measures. */
const flowPair = z.object({
  cpeId: z.number(),
  cpeName: z.string(),
  peerId: z.number(),
  peerName: z.string(),
  inBytes: bytes,
  outBytes: bytes,
});

/** A place in the tree of what has records; an enterprise bears its devices. */
const treeNode = z.object({
  /** Kind and id: "enterprise-3", "cpe-12". */
  id: z.string(),
  pId: z.string().nullable(),
  name: z.string(),
});

const ofDevice = { cpeId: codec.id };
const anyDevice = { cpeId: codec.orNull(codec.id) };
const deviceRange = z.object({ ...ofDevice, ...rangeFields }).refine(...rangeIssue);
const search = codec.orNull(codec.text(255));

type Area = "log" | "cklog";
const callOf = <I extends z.ZodType, O extends z.ZodType>(
  area: Area,
  name: string,
  input: I,
  output: O,
) => ({
  id: `${area}.flow.${name}`,
  method: "GET" as const,
  path: `/api/${area}/lable/flow/${name}` as const,
  input,
  output,
  may: screens("/sdwan-system/cpe", "/devopsmonitor/logs/cpe"),
});

/** Enterprises and their devices that the caller sees, as a flat list. */
const treeOf = (area: Area) =>
  endpoint({
    ...callOf(area, "tree", z.object(anyDevice), z.array(treeNode)),
    id: area === "log" ? "log.getLogTree" : "cklog.flow.tree",
    successCode: 200,
  });

const card = z.object({ cardId: z.string(), name: z.string() });
const cardRange = z
  .object({ ...ofDevice, cardId: codec.text(64, 1), ...rangeFields })
  .refine(...rangeIssue);
const pairRange = { ...anyDevice, ...rangeFields, ...pageFields };
const popRange = z.object({ ...pairRange, popId: codec.orNull(codec.id) }).refine(...rangeIssue);
const recordRange = { ...ofDevice, ...rangeFields, ...pageFields };
const visitRange = z.object({ ...recordRange, url: search }).refine(...rangeIssue);
const sessionRange = z.object({ ...recordRange, ip: search }).refine(...rangeIssue);

const family = (area: Area) => ({
  tree: treeOf(area),
  /** What one device moved over its lines. */
  cpebyte: readsMetrics(endpoint(callOf(area, "cpebyte", deviceRange, z.array(bytePoint)))),
  /** Interfaces of a device that there are records of. */
  cardlist: readsMetrics(endpoint(callOf(area, "cardlist", z.object(ofDevice), z.array(card)))),
  cardflow: readsMetrics(endpoint(callOf(area, "cardflow", cardRange, z.array(bytePoint)))),
  /** The pairs of CPEs that moved most, over the links between them. */
  cpe2cpe: readsMetrics(
    pagedEndpoint(callOf(area, "cpe2cpe", z.object(pairRange).refine(...rangeIssue), flowPair)),
  ),
  cpe2pop: readsMetrics(pagedEndpoint(callOf(area, "cpe2pop", popRange, flowPair))),
  urlpage: readsMetrics(pagedEndpoint(callOf(area, "urlpage", visitRange, urlVisit))),
  sessionpage: readsMetrics(pagedEndpoint(callOf(area, "sessionpage", sessionRange, sessionLog))),
});

export const logFlow = family("log");
export const cklogFlow = family("cklog");
