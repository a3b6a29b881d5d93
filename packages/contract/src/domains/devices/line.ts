import { z } from "zod";
import { screens } from "#contract/access.ts";
import type { Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { defineResource } from "#kernel/resource.ts";
import { failsWith } from "#kernel/rule.ts";
import * as address from "#rules/address.ts";
import * as number from "#rules/number.ts";
import * as text from "#rules/text.ts";
import { addressings, ipv6Modes, ipv6States, lineQualities } from "./enums.ts";

/** A WAN uplink of a node. Up to four; the slot is the line's name in templates and marks. */
const draft = z
  .object({
    nodeId: codec.id,
    /** 1 to 4: wan1 to wan4. */
    slot: codec.int(...number.ranges.linesOfNode),
    name: text.name,
    interfaceName: text.interfaceName,
    addressing: codec.oneOf(addressings),
    /** Interface address with prefix length, static lines only. */
    ip: codec.orNull(address.lineAddress),
    gateway: codec.orNull(address.ipv4Address),
    /** Beside IPv4, whatever that is. */
    ipv6Mode: codec.oneOf(ipv6Modes).default("off"),
    /** Interface address with prefix length, and router; static IPv6 only. */
    ip6: codec.orNull(address.lineAddress6).default(null),
    gateway6: codec.orNull(address.gateway6).default(null),
    /** Length that a delegated prefix should have; null: as the provider likes. */
    prefixLength: codec.orNull(codec.int(...number.ranges.delegatedPrefix)).default(null),
    /**
     * Address that others call the line at, where a NAT in front of it leads every UDP port on unchanged, as for virtual machines
     * of public clouds. Null: the line's own.
     */
    publicIp: codec.orNull(address.ipv4Host).default(null),
    /**
     * First of the UDP ports at `publicIp` that a NAT leads on to the tunnels' own, from 51,820 upwards; null: they are the
     * same ports.
     */
    publicPort: codec.orNull(codec.int(...number.ranges.publicPort)).default(null),
    /** Name that lines of one carrier share; links prefer pairs with the same one. */
    isp: codec.text(32),
    lineQuality: codec.code(lineQualities),
    /** True: others may open tunnels to this line's address (no NAT in front of it). */
    reachable: codec.flag,
    /** Bytes inside the tunnels of this line. */
    mtu: number.mtu,
    /** kbit/s. */
    upBandwidth: codec.orNull(number.bandwidthKbps),
    downBandwidth: codec.orNull(number.bandwidthKbps),
    remark: text.remark,
  })
  .refine(
    (line) => line.addressing !== "static" || line.ip != null,
    failsWith("required", {}, ["ip"]),
  )
  .refine(
    (line) => line.addressing !== "static" || line.gateway != null,
    failsWith("required", {}, ["gateway"]),
  )
  .refine(
    ({ addressing, ip, gateway }) =>
      addressing !== "static" || ip == null || gateway == null || address.isGatewayOf(ip, gateway),
    failsWith("gateway", {}, ["gateway"]),
  )
  .refine(
    ({ ipv6Mode, ip6 }) => ipv6Mode !== "static" || ip6 != null,
    failsWith("required", {}, ["ip6"]),
  )
  .refine(
    ({ ipv6Mode, gateway6 }) => ipv6Mode !== "static" || gateway6 != null,
    failsWith("required", {}, ["gateway6"]),
  )
  .refine(
    ({ ip6, gateway6 }) =>
      ip6 == null || gateway6 == null || !address.isSameAddress(address.addressOf(ip6), gateway6),
    failsWith("gateway6", {}, ["gateway6"]),
  )
  .refine(
    ({ publicIp, publicPort }) => publicPort == null || publicIp != null,
    failsWith("required", {}, ["publicIp"]),
  );

const row = z.object({
  id: z.number(),
  nodeId: z.number(),
  slot: z.number(),
  name: z.string(),
  interfaceName: z.string(),
  addressing: z.enum(addressings),
  ip: z.string().nullable(),
  gateway: z.string().nullable(),
  ipv6Mode: z.enum(ipv6Modes),
  ip6: z.string().nullable(),
  gateway6: z.string().nullable(),
  prefixLength: z.number().nullable(),
  publicIp: z.string().nullable(),
  publicPort: z.number().nullable(),
  isp: z.string(),
  lineQuality: z.number(),
  reachable: codec.flag,
  mtu: z.number(),
  upBandwidth: z.number().nullable(),
  downBandwidth: z.number().nullable(),
  /** Address the device really has, as it reported it; null: not reported. */
  currentIp: z.string().nullable(),
  /** What it has of IPv6 at the moment; null: none is set. */
  ipv6State: z.enum(ipv6States).nullable(),
  currentIp6: z.string().nullable(),
  currentGateway6: z.string().nullable(),
  /** Prefix that it gets for LANs. */
  currentPrefix: z.string().nullable(),
  /** From when on the controller knows of this address. */
  ipv6Since: codec.instant.nullable(),
  /** When it ends unless it is advertised or given again; null: never. */
  ipv6Until: codec.instant.nullable(),
  /** 1 the interface has a carrier and an address; 0 not; null unknown. */
  status: z.number().nullable(),
  remark: z.string(),
});

export const line = defineResource({
  name: "line",
  title: ["WAN 链路", "WAN link"],
  path: "/customer/line",
  id: "id",
  row,
  draft,
  query: z.object({ nodeId: codec.id }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["slot", "name"],
  sheet: { key: ["slot"], acrossCpes: true },
  owner: "nodeId",
  may: {
    list: screens(
      "/sdwan-system/cpe",
      "/sdwan-system/pop",
      "/business-system/overlay/linkManage",
      "cpeConfig",
      "popConfig",
    ),
    add: "cpeConfig",
    edit: "cpeConfig",
    remove: "cpeConfig",
    combo: null,
  },
});

/** What a line with a fixed IPv6 address has. */
const staticIpv6 = {
  ipv6Mode: "static",
  ip6: "2001:db8:77::2/64",
  gateway6: "fe80::1",
} as const;

export const lineSamples: Samples<typeof line> = {
  valid: ({ cpeId }) => ({
    nodeId: cpeId,
    slot: 4,
    name: "电信",
    interfaceName: "wan4",
    addressing: "static",
    ip: "198.51.100.77/24",
    gateway: "198.51.100.1",
    ipv6Mode: "off",
    ip6: null,
    gateway6: null,
    prefixLength: null,
    publicIp: null,
    publicPort: null,
    isp: "isp-a",
    lineQuality: 0,
    reachable: false,
    mtu: 1420,
    upBandwidth: 20_000,
    downBandwidth: 100_000,
    remark: "",
  }),
  edited: (ids) => ({
    ...lineSamples.valid(ids),
    mtu: 1400,
    ipv6Mode: "delegated",
    prefixLength: 56,
    publicIp: "203.0.113.77",
    publicPort: 40_000,
  }),
  distinct: ({ name }) => ({ name }),
  invalid: [
    { field: "slot", value: 5, rule: "outOfRange" },
    { field: "ip", value: null, rule: "required" },
    { field: "ip", value: "11.0.0.5/7", rule: "wideNetwork" },
    { field: "ip", value: "198.51.100.300/24", rule: "ipv4Cidr" },
    { field: "ip", value: "198.0.0.5/8", rule: "reservedInside" },
    { field: "ip", value: "169.254.77.2/30", rule: "insideLinks" },
    { field: "ip", value: "198.51.100.0/24", rule: "hostAddress" },
    { field: "ip", value: "198.51.100.255/24", rule: "hostAddress" },
    { field: "ip", value: "127.0.0.2/8", rule: "hostAddress" },
    { field: "gateway", value: "gw", rule: "ipv4" },
    { field: "gateway", value: "198.51.100.77", rule: "gateway" },
    { field: "gateway", value: "198.51.100.255", rule: "gateway" },
    { field: "gateway", value: "0.0.0.0", rule: "gateway" },
    { field: "gateway", value: "127.0.0.2", rule: "gateway" },
    { field: "gateway", value: "224.0.0.1", rule: "gateway" },
    { field: "ip6", value: null, rule: "required", beside: staticIpv6 },
    { field: "ip6", value: "2001:db8:77::2", rule: "ipv6Cidr" },
    { field: "ip6", value: "2001:db8:77::/64", rule: "hostAddress" },
    { field: "ip6", value: "198.51.100.7/24", rule: "ipv6Cidr" },
    { field: "ip6", value: "2001::1/15", rule: "wideNetwork" },
    { field: "ip6", value: "fd57:6566::1/64", rule: "reservedNetwork" },
    { field: "ip6", value: "fd57::1/16", rule: "reservedInside" },
    { field: "ip6", value: "4000::1/64", rule: "ipv6Host" },
    { field: "prefixLength", value: 65, rule: "outOfRange" },
    { field: "gateway6", value: null, rule: "required", beside: staticIpv6 },
    { field: "gateway6", value: "ff02::2", rule: "gateway6" },
    { field: "gateway6", value: "198.51.100.1", rule: "gateway6" },
    { field: "gateway6", value: "2001:db8:77:0::2", rule: "gateway6", beside: staticIpv6 },
    { field: "publicIp", value: "203.0.113.77/24", rule: "ipv4" },
    { field: "publicIp", value: "224.0.0.9", rule: "hostAddress" },
    { field: "publicPort", value: 51_821, rule: "outOfRange" },
    { field: "mtu", value: 1451, rule: "mtu" },
    { field: "interfaceName", value: "a/b", rule: "interfaceName" },
    { field: "interfaceName", value: "wl7", rule: "ownInterface" },
    { field: "interfaceName", value: "all", rule: "interfaceName" },
    { field: "interfaceName", value: "default", rule: "interfaceName" },
    { field: "upBandwidth", value: 12, rule: "bandwidth" },
  ],
};
