/** Interfaces, lines and what speaks over them (specification section 3). */
import { z } from "zod";
import { lineQualities } from "#domains/devices/enums.ts";
import * as codec from "#kernel/codec.ts";
import { definePolicyFamily } from "#kernel/policy-family.ts";
import { failsWith } from "#kernel/rule.ts";
import * as address from "#rules/address.ts";
import { portOrRange } from "#rules/host.ts";
import * as number from "#rules/number.ts";
import { portsOf } from "#rules/ports.ts";
import * as text from "#rules/text.ts";
import { accessType, accessTypes, lineKinds, mappedProtocols, ospfFlagBits } from "./enums.ts";
import { bitsOf, named, reference } from "./policy-fields.ts";

const none = z.object({});
const plain = ["list", "add", "edit", "remove"] as const;
const { ranges } = number;

/** A network card of the owner. Cards come with the owner: there is no add and no remove. */
export const routerInterface = definePolicyFamily({
  name: "routerInterface",
  title: ["接口", "interface"],
  plural: "interfaces",
  fields: z.object({
    ...named,
    enable: codec.flag,
    vlan: codec.orNull(number.vlan),
    mtu: codec.orNull(number.mtu),
  }),
  facts: z.object({ netcard: z.string(), lines: z.number() }),
  label: "name",
  lists: { all: "list", card: "netcardlist" },
  verbs: ["list", "edit"],
  sort: ["name"],
  merge: {
    by: "key",
    key: ({ netcard }) => netcard,
    isUnset: ({ enable, vlan, mtu }) => enable === true && vlan == null && mtu == null,
  },
});

const mask = z.string().refine(address.isMask, failsWith("mask"));
const isFixed = (line: { accessType: number; ip: unknown }) =>
  line.accessType !== accessType.fixed || line.ip !== null;
const standby = codec.int(...ranges.hotStandbyPriority);

/** A line of a template or node; WAN and LAN templates are lists of them. */
export const interfaceLine = definePolicyFamily({
  name: "routerInterfaceline",
  title: ["接口线路", "interface line"],
  plural: "interface lines",
  fields: z
    .object({
      ...named,
      kind: codec.oneOf(lineKinds),
      /** Of WAN lines: 1 to 4, each once. */
      accessposition: codec.orNull(codec.int(...ranges.linesOfNode)),
      interfaceId: reference,
      accessType: codec.code(accessTypes),
      ip: codec.orNull(address.ipv4Host),
      mask: codec.orNull(mask),
      gateway: codec.orNull(address.ipv4Host),
      vlan: codec.orNull(number.vlan),
      mtu: codec.orNull(number.mtu),
      pppoeUser: codec.text(64),
      pppoePassword: codec.text(64),
      /** kbit/s. */
      upBandwidth: codec.orNull(number.bandwidthKbps),
      downBandwidth: codec.orNull(number.bandwidthKbps),
      lineQuality: codec.code(lineQualities),
      dhcpStart: codec.orNull(address.ipv4Host),
      dhcpEnd: codec.orNull(address.ipv4Host),
      hotStandbyGroup: codec.orNull(standby),
      hotStandbyPriority: codec.orNull(standby),
    })
    .refine(
      (line) => line.kind !== "wan" || line.accessposition !== null,
      failsWith("required", {}, ["accessposition"]),
    )
    .refine(isFixed, failsWith("required", {}, ["ip"]))
    .refine((line) => line.ip === null || line.mask !== null, failsWith("required", {}, ["mask"]))
    .refine(
      (line) => line.accessType !== accessType.pppoe || line.pppoeUser !== "",
      failsWith("required", {}, ["pppoeUser"]),
    )
    .refine(
      ({ dhcpStart, dhcpEnd }) => (dhcpStart === null) === (dhcpEnd === null),
      failsWith("required", {}, ["dhcpEnd"]),
    )
    .refine(
      ({ dhcpStart, dhcpEnd }) =>
        dhcpStart === null || dhcpEnd === null || address.isOrderedAddresses(dhcpStart, dhcpEnd),
      failsWith("order", {}, ["dhcpEnd"]),
    ),
  facts: z.object({ hasPppoePassword: codec.flag }),
  secret: ["pppoePassword"],
  references: { interfaceId: "routerInterface" },
  label: "name",
  lists: { lan: "lanlist", wan: "wanlist" },
  verbs: ["list", "add", "edit", "remove", "combo"],
  rename: { edit: "update" },
  sort: ["name", "accessposition"],
  // A WAN line is the line of its position, whatever it is called.
  merge: {
    by: "key",
    key: ({ kind, accessposition, name }) => (kind === "wan" ? accessposition : name),
  },
});

/** RFC 6793: four octets; 0 is reserved (RFC 7607). */
const asn = codec.int(1, 4_294_967_295);
const isNetworks = (value: string): boolean =>
  value === "" || value.split(",").every((one) => address.parsePrefix(one.trim())?.family === 4);
/** Where there are any, none of them is one that no site may have. */
const areOfSites = (value: string): boolean =>
  value.split(",").every((one) => !address.isReserved(one.trim()));
/** RFC 4271 section 4.2: 0, or at least 3 seconds. */
const holdTime = codec
  .int(0, 65_535)
  .refine(
    (seconds) => seconds === 0 || seconds >= 3,
    failsWith("outOfRange", { min: 3, max: 65_535 }),
  );

/** A BGP neighbour. */
export const bgp = definePolicyFamily({
  name: "routerBgp",
  title: ["BGP 邻居", "BGP neighbour"],
  plural: "BGP neighbours",
  fields: z.object({
    asn,
    neighborIp: address.ipv4Host,
    neighborAsn: asn,
    /** Comma-joined prefixes that are announced. */
    networks: codec
      .text(1_024)
      .refine(isNetworks, failsWith("cidr"))
      .refine(areOfSites, failsWith("reservedNetwork")),
    /** Seconds; empty: the daemon's own. */
    holdTime: codec.orNull(holdTime),
    password: codec.text(80),
    enable: codec.flag,
  }),
  facts: z.object({ hasPassword: codec.flag }),
  secret: ["password"],
  label: "neighborIp",
  verbs: plain,
  sort: ["neighborIp", "neighborAsn"],
  merge: { by: "key", key: ({ neighborIp }) => neighborIp },
  canBeOff: true,
});

const isArea = (value: string): boolean =>
  number.isWholeIn(value, [0, 4_294_967_295]) || address.parseAddress(value)?.family === 4;

/** OSPF on one interface (RFC 2328). */
export const ospf = definePolicyFamily({
  name: "routerOspf",
  title: ["OSPF 接口", "OSPF interface"],
  plural: "OSPF interfaces",
  fields: z
    .object({
      /** A number or dotted. */
      area: codec.text(15, 1).refine(isArea, failsWith("area")),
      interfaceName: text.interfaceName,
      cost: codec.orNull(codec.int(1, 65_535)),
      flags: bitsOf(ospfFlagBits),
      /** Seconds. */
      helloInterval: codec.orNull(codec.int(1, 65_535)),
      deadInterval: codec.orNull(codec.int(1, 65_535)),
      enable: codec.flag,
    })
    .refine(
      ({ helloInterval, deadInterval }) =>
        helloInterval === null || deadInterval === null || helloInterval < deadInterval,
      failsWith("order", {}, ["deadInterval"]),
    ),
  facts: none,
  label: "interfaceName",
  verbs: plain,
  sort: ["interfaceName", "area", "cost"],
  merge: { by: "key", key: ({ interfaceName }) => interfaceName },
  canBeOff: true,
});

const width = (range: string): number => {
  const [first, last] = portsOf(range);
  return last - first;
};

/** A port of a line that leads to a host behind it. */
export const portMapping = definePolicyFamily({
  name: "routerPortmapping",
  title: ["端口映射", "port mapping"],
  plural: "port mappings",
  fields: z
    .object({
      protocol: codec.oneOf(mappedProtocols),
      externalPort: portOrRange,
      internalIp: address.ipv4Host,
      internalPort: portOrRange,
      lineId: reference,
      enable: codec.flag,
      remark: text.remark,
    })
    // A range leads to a range of the same size, or to one port.
    .refine(
      ({ externalPort, internalPort }) =>
        width(internalPort) === 0 || width(internalPort) === width(externalPort),
      failsWith("portRange", {}, ["internalPort"]),
    ),
  facts: none,
  references: { lineId: "routerInterfaceline" },
  label: "externalPort",
  verbs: plain,
  sort: ["externalPort", "internalIp"],
  merge: { by: "order" },
  canBeOff: true,
});
