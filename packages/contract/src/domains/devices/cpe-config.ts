/** What is set on a device as a whole (sections 3 and 7.3). */

import { z } from "zod";
import { everySession, screens } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing, pagedEndpoint, pageFields, readsMetrics } from "#kernel/endpoint.ts";
import { expectedVersion, rowVersion, versionedSettings } from "#kernel/row-version.ts";
import { failsWith } from "#kernel/rule.ts";
import * as number from "#rules/number.ts";
import { dailySchedule } from "#rules/schedule.ts";
import * as text from "#rules/text.ts";
import { cpeTypeBits, xModes } from "./enums.ts";

/** 0 stands for "as it comes": no limit of its own, the MTU of each line. */
const zeroOr = (min: number, max: number, rule: "bandwidth" | "mtu") => {
  const shownLimits = rule === "bandwidth" ? number.shownRates : {};
  return codec
    .int(0, max, rule, shownLimits)
    .refine(
      (value) => value === 0 || value >= min,
      failsWith(rule, { min: min, max: max, ...shownLimits }),
    );
};

/** Every item of section 3 that is kept for a CPE. */
export const cpeItems = {
  /** The device gives its LANs addresses. */
  nDynamicdhcp: codec.flag,
  /** Off: none of the ACL rules counts. */
  nXACLEnabled: codec.flag,
  /** Tunnels are always encrypted: it cannot be turned off. */
  nDataEncrypt: codec.flag.refine((on) => on, failsWith("alwaysOn")),
  nWanWebAlloc: codec.flag,
  nHidden: codec.flag,
  nHidden5G: codec.flag,
  /** When the device restarts every day, in its own time. */
  szCrontab: dailySchedule,
  byteLog: codec.flag,
  auditLog: codec.flag,
  /** Off: no command (restart, test, relay) reaches the device; states still do. */
  isCloudManage: codec.flag,
  /** kbit/s. */
  bandwidth: zeroOr(64, 100_000_000, "bandwidth"),
  /** Bytes inside every tunnel. */
  mtu: zeroOr(number.ranges.mtu[0], number.ranges.mtu[1], "mtu"),
  xMode: codec.code(xModes),
  ssid: codec.text(32),
  ssid5G: codec.text(32),
  nodeLifetime: codec.int(...number.ranges.nodeLifetime),
} as const;
export type CpeItem = keyof typeof cpeItems;
export const cpeItemNames = Object.keys(cpeItems) as readonly CpeItem[];

/** The whole configuration of one CPE. */
export const cpeConfig = z.object(cpeItems);
export type CpeConfig = z.output<typeof cpeConfig>;

/** Some items; those that are missing or empty stay as they are. */
export const givenItems = {
  nDynamicdhcp: codec.orNull(cpeItems.nDynamicdhcp),
  nXACLEnabled: codec.orNull(cpeItems.nXACLEnabled),
  nDataEncrypt: codec.orNull(cpeItems.nDataEncrypt),
  nWanWebAlloc: codec.orNull(cpeItems.nWanWebAlloc),
  nHidden: codec.orNull(cpeItems.nHidden),
  nHidden5G: codec.orNull(cpeItems.nHidden5G),
  szCrontab: codec.orNull(cpeItems.szCrontab),
  byteLog: codec.orNull(cpeItems.byteLog),
  auditLog: codec.orNull(cpeItems.auditLog),
  isCloudManage: codec.orNull(cpeItems.isCloudManage),
  bandwidth: codec.orNull(cpeItems.bandwidth),
  mtu: codec.orNull(cpeItems.mtu),
  xMode: codec.orNull(cpeItems.xMode),
  ssid: codec.orNull(cpeItems.ssid),
  ssid5G: codec.orNull(cpeItems.ssid5G),
  nodeLifetime: codec.orNull(cpeItems.nodeLifetime),
} as const satisfies Record<CpeItem, z.ZodType>;
export type GivenItems = { readonly [Item in CpeItem]: CpeConfig[Item] | null };

export const cpeCfgAdd = endpoint({
  id: "cpeCfg.add",
  method: "POST",
  path: "/customer/cpeCfg/add",
  input: z.object({ cpeId: codec.id, ...givenItems, rowVersion: expectedVersion }),
  output: nothing,
  may: "cpeConfig",
});

/** The same items from the WAN tab. */
export const cpeCfgEditXwan = endpoint({
  id: "cpeCfg.editXwan",
  method: "POST",
  path: "/customer/cpeCfg/editXwan",
  input: z.object({ cpeId: codec.id, ...givenItems, rowVersion: expectedVersion }),
  output: nothing,
  may: "configXwan",
});

/** The given items on all of these CPEs, or on none. */
export const cpeBatchEditXwan = endpoint({
  id: "cpe.batchEditXwan",
  method: "POST",
  path: "/customer/cpe/batchEditXwan",
  input: z.object({ ids: codec.someIds, ...givenItems }),
  output: nothing,
  may: "cpeBatch",
});

/**
 * Puts a CPE back to how a new one is: system settings, DNS entries, ACL rules and static routes.
 * Lines and LAN sections stay, by which it is reached.
 */
export const cpeConfigInit = endpoint({
  id: "cpe.configInit",
  method: "POST",
  path: "/customer/cpe/configInit",
  input: z.object({ cpeId: codec.id }),
  output: nothing,
  may: "cpeConfig",
});

/** A network card of a device, as far as lines and LAN sections name it. */
const cpePort = z.object({
  id: z.number(),
  cpeId: z.number(),
  name: z.string(),
  role: z.enum(["wan", "lan"]),
  /** 1 it has a carrier; 0 not; null: the device did not say. */
  status: z.number().nullable(),
  /** Mbit/s as agreed with the carrier; null: not entered. */
  speed: z.number().nullable(),
  /** As the device reported it. */
  address: z.string().nullable(),
  remark: z.string(),
});

export const cpePortById = endpoint({
  id: "cpePorts.getById",
  method: "GET",
  path: "/customer/cpePorts/getById",
  input: z.object({ id: codec.id }),
  output: cpePort,
  may: screens("/sdwan-system/cpe", "cpeConfig"),
});

export const cpePortEdit = endpoint({
  id: "cpePorts.edit",
  method: "POST",
  path: "/customer/cpePorts/edit",
  input: z.object({
    id: codec.id,
    speed: codec.orNull(codec.int(1, 400_000)),
    remark: text.remark,
  }),
  output: nothing,
  may: "cpeEdit",
});

const cpeType = z.object({
  id: z.number(),
  name: z.string(),
  /** Its bit in the mask of section 4. */
  cpeType: z.number(),
});
export type CpeTypeRow = z.output<typeof cpeType>;

/** Types of CPEs: the bits of section 4. */
export const cpeTypes: readonly CpeTypeRow[] = cpeTypeBits.map(([bit, name], at) => ({
  id: at + 1,
  name,
  cpeType: bit,
}));

export const cpeTypeList = pagedEndpoint({
  id: "cpeType.list",
  method: "GET",
  path: "/customer/cpeType/list",
  input: z.object(pageFields),
  output: cpeType,
  may: everySession("the same list for everyone"),
});

/** All that the configuration screen begins with (section 7.3). */
const storedConfig = cpeConfig.extend({
  cpeId: z.number(),
  updateTime: codec.instant.nullable(),
  rowVersion,
});
export const cpeConfigVersions = versionedSettings("cpeCfg", storedConfig, cpeCfgAdd.input);

export const cfgInit = endpoint({
  id: "cfgInit",
  method: "GET",
  path: "/customer/cfgInit",
  input: z.object({ cpeId: codec.id }),
  output: z.object({
    cpeConfig: storedConfig,
    ports: z.array(cpePort),
    types: z.array(cpeType),
  }),
  may: screens("/sdwan-system/cpe", "cpeConfig"),
});

const popItems = {
  /** Bytes inside every tunnel; 0: the MTU of each line. */
  mtu: cpeItems.mtu,
  szCrontab: dailySchedule,
};

export const popCfg = endpoint({
  id: "popCfg.getById",
  method: "GET",
  path: "/customer/popCfg/getById",
  input: z.object({ popId: codec.id }),
  output: z.object({
    popId: z.number(),
    ...popItems,
    updateTime: codec.instant.nullable(),
    rowVersion,
  }),
  may: "popConfig",
});

export const popCfgEdit = endpoint({
  id: "popCfg.edit",
  method: "POST",
  path: "/customer/popCfg/edit",
  input: z.object({
    popId: codec.id,
    mtu: codec.orNull(popItems.mtu),
    szCrontab: codec.orNull(popItems.szCrontab),
    rowVersion: expectedVersion,
  }),
  output: nothing,
  may: "popConfig",
});
export const popConfigVersions = versionedSettings("popCfg", popCfg.output, popCfgEdit.input);

/** Interfaces of a POP as it reported them, with their rates of the last minutes. */
export const popInterfaceList = readsMetrics(
  pagedEndpoint({
    id: "popInterface.list",
    method: "GET",
    path: "/customer/popInterface/list",
    input: z.object({ ...pageFields, popId: codec.id }),
    output: z.object({
      id: z.number(),
      popId: z.number(),
      name: z.string(),
      ip: z.string().nullable(),
      /** bit/s; null: no value. */
      inRate: z.number().nullable(),
      outRate: z.number().nullable(),
      status: z.number().nullable(),
    }),
    may: screens("/sdwan-system/pop", "popConfig"),
  }),
);
