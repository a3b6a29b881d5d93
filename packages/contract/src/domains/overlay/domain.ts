/** Resources and calls of this domain, for the lists of all. */

import type { SamplesOf } from "#contract/samples/sample.ts";
import * as circuit from "./circuit.ts";
import { cug, cugSamples } from "./cug.ts";
import * as link from "./link.ts";
import * as linkPath from "./link-path.ts";
import * as netSpace from "./net-space.ts";
import * as popStrategy from "./pop-strategy.ts";
import { routeNotice, routeNoticeSamples } from "./route-notice.ts";
import * as segmentRoute from "./segment-route.ts";
import * as topology from "./topology.ts";
import * as trafficClass from "./traffic-class.ts";
import * as vbrNode from "./vbr-node.ts";

export const resources = {
  netSpace: netSpace.netSpace,
  xwanCircuit: circuit.circuit,
  cug,
  segmentRoute: segmentRoute.segmentRoute,
  routeNotice,
  vbrNode: vbrNode.vbrNode,
  vbrTable: vbrNode.vbrTable,
  popStrategy: popStrategy.popStrategy,
  popGroup: popStrategy.popGroup,
} as const;

export const calls: readonly object[] = [
  netSpace,
  link,
  linkPath,
  circuit,
  segmentRoute,
  vbrNode,
  popStrategy,
  topology,
  trafficClass,
];

/** Drafts of each resource: one without does not compile. */
export const samples: SamplesOf<typeof resources> = {
  netSpace: netSpace.netSpaceSamples,
  xwanCircuit: circuit.circuitSamples,
  cug: cugSamples,
  segmentRoute: segmentRoute.segmentRouteSamples,
  routeNotice: routeNoticeSamples,
  vbrNode: vbrNode.vbrNodeSamples,
  vbrTable: vbrNode.vbrTableSamples,
  popStrategy: popStrategy.popStrategySamples,
  popGroup: popStrategy.popGroupSamples,
};
