import type { SectionKind } from "@weft/contract/device/v1/sections.ts";

/**
 * Who carries out which section of a state: drivers, or the program itself (`edge`). Others read it too. A kind of
 * section does not compile until somebody does, nor a driver that no machine has.
 */
export const sectionDrivers = {
  node: ["firewall", "routing"],
  system: ["edge", "flows"],
  underlay: ["underlay"],
  static: ["routing"],
  firewall: ["firewall"],
  tunnel: ["tunnel", "probe"],
  routing: ["routing"],
  client: ["client"],
  space: ["isolation", "firewall"],
  policy: ["firewall", "underlay", "filters"],
  dns: ["dns", "firewall", "filters"],
  shaping: ["shaping", "firewall"],
  site: ["routing", "firewall"],
  groups: ["firewall"],
  paths: ["paths", "classes", "routing"],
  segment: ["segment", "routing"],
  standby: ["standby", "routing"],
  acceleration: ["acceleration", "firewall", "routing", "underlay", "dns"],
} as const satisfies Readonly<Record<SectionKind, readonly [string, ...string[]]>>;

export type DriverName = Exclude<(typeof sectionDrivers)[SectionKind][number], "edge">;
