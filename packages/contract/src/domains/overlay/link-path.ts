/** Quality of links by direction, and traffic that was moved from one link to another for it. */

import { z } from "zod";
import { screens } from "#contract/access.ts";
import { trafficClasses } from "#contract/device/v1/path-classes.ts";
import { moveReasons, pathStates } from "#contract/device/v1/paths.ts";
import { nodeKinds } from "#domains/devices/enums.ts";
import * as codec from "#kernel/codec.ts";
import { pagedEndpoint, pageFields } from "#kernel/endpoint.ts";

const addition = "choice of path by quality; the specification has no call for it";

const sender = {
  /** The end that sends in this direction. */
  nodeId: z.number(),
  nodeKind: z.enum(nodeKinds),
  nodeName: z.string(),
};

/** Loss in percent; round trip and jitter (RFC 3550) in ms; null: not known. */
const quality = z.object({
  loss: z.number().nullable(),
  delay: z.number().nullable(),
  jitter: z.number().nullable(),
});

const places = {
  ...pageFields,
  /** Of this link alone. */
  linkId: codec.orNull(codec.id),
  /** Of links that end at this node, in both directions. */
  nodeId: codec.orNull(codec.id),
  netSpaceId: codec.orNull(codec.id),
};

export const linkPathList = pagedEndpoint({
  id: "linkPath.list",
  addition,
  method: "GET",
  path: "/customer/linkPath/list",
  input: z.object(places),
  output: z.object({
    linkId: z.number(),
    linkName: z.string(),
    netSpaceId: z.number(),
    netSpaceName: z.string(),
    ...sender,
    state: z.enum(pathStates),
    /** Traffic of the space goes by it. */
    used: codec.flag,
    /** It is behind other links for now, because it was left. */
    left: codec.flag,
    /** Classes whose traffic goes by it, each since when; null: the device has no classes. */
    classes: z.array(z.object({ name: z.enum(trafficClasses), since: codec.instant })).nullable(),
    ...quality.shape,
    /** Since when it has been in this state. */
    since: codec.instant,
  }),
  may: screens("/devopsmonitor/linkMonitor", "/sdwan-system/cpe", "/sdwan-system/pop"),
});

export const linkMoveList = pagedEndpoint({
  id: "linkMove.list",
  addition,
  method: "GET",
  path: "/customer/linkMove/list",
  input: z.object(places),
  output: z.object({
    id: z.number(),
    at: codec.instant,
    netSpaceId: z.number(),
    netSpaceName: z.string(),
    ...sender,
    fromId: z.number(),
    fromName: z.string(),
    toId: z.number(),
    toName: z.string(),
    reason: z.enum(moveReasons),
    /** Null: traffic without a class. */
    trafficClass: z.enum(trafficClasses).nullable(),
    /** Of both links at that moment, in the direction of the sender. */
    from: quality,
    to: quality,
  }),
  may: screens("/devopsmonitor/linkMonitor", "/sdwan-system/cpe", "/sdwan-system/pop"),
});
