/** Resources and calls of acceleration, segment routes, route notices and clouds, for the list of all. */
import { routeNotice } from "#resources/route-notice.ts";
import { saasGroups } from "#resources/saas-group.ts";
import * as segmentRoute from "#resources/segment-route.ts";
import * as vbrNode from "#resources/vbr-node.ts";
import * as xwanSpeed from "#resources/xwan-speed.ts";

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
