import { z } from "zod";
import { lineQualities } from "#domains/devices/enums.ts";
import * as codec from "#kernel/codec.ts";
import { definePolicyFamily } from "#kernel/policy-family.ts";
import { failsWith } from "#kernel/rule.ts";
import * as address from "#rules/address.ts";
import * as number from "#rules/number.ts";
import { accessType, accessTypes, lineKinds } from "./enums.ts";
import { named, reference } from "./policy-fields.ts";

const { ranges } = number;

const mask = z.string().refine(address.isMask, failsWith("mask"));
const isFixed = (line: { accessType: number; ip: unknown }) =>
  line.accessType !== accessType.fixed || line.ip !== null;
/** Group and priority of a LAN: two CPEs whose lines name one group share the line's address. */
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
    // A WAN link has an address of its provider, which no other device can take over.
    .refine(
      ({ kind, hotStandbyGroup }) => kind === "lan" || hotStandbyGroup === null,
      failsWith("notAllowed", {}, ["hotStandbyGroup"]),
    )
    .refine(
      ({ ip, hotStandbyGroup }) => ip !== null || hotStandbyGroup === null,
      failsWith("required", {}, ["ip"]),
    )
    .refine(
      (line) => line.hotStandbyPriority === null || line.hotStandbyGroup !== null,
      failsWith("required", {}, ["hotStandbyGroup"]),
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
    // With its kind: a LAN may be called "1".
    key: ({ kind, accessposition, name }) => `${kind} ${kind === "wan" ? accessposition : name}`,
  },
});
