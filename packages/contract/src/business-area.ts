/** Resources and calls of acceleration, segment routes, route notices and clouds, for the list of all. */
import { routeNotice } from "#domains/overlay/route-notice.ts";
import * as segmentRoute from "#domains/overlay/segment-route.ts";
import * as vbrNode from "#domains/overlay/vbr-node.ts";
import { saasGroups } from "#domains/policies/saas-group.ts";
import * as xwanSpeed from "#domains/policies/xwan-speed.ts";

export const businessResources = {
  "saasGroup.domain": saasGroups.domain,
  "saasGroup.dpi": saasGroups.dpi,
  "saasGroup.ip": saasGroups.ip,
  "saasGroup.app": saasGroups.app,
  xwanSpeed: xwanSpeed.xwanSpeed,
  xwanSpeedDefine: xwanSpeed.xwanSpeedDefine,
  segmentRoute: segmentRoute.segmentRoute,
  routeNotice,
  vbrNode: vbrNode.vbrNode,
  vbrTable: vbrNode.vbrTable,
} as const;

export const businessCalls = [xwanSpeed, segmentRoute, vbrNode] as const;
