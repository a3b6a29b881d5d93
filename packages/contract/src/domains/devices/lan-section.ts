import { z } from "zod";
import { networkOf, type Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import { defineResource } from "#kernel/resource.ts";
import { failsWith } from "#kernel/rule.ts";
import * as address from "#rules/address.ts";
import { rangeObstacle } from "#rules/dhcp-range.ts";
import * as number from "#rules/number.ts";
import * as text from "#rules/text.ts";

/** A host of the network beside the one that the network is written with. */
const isOtherHost = (network: string, host: string): boolean => {
  const span = address.spanOf(network);
  const parsedHost = address.parseAddress(host);
  if (!span || !parsedHost || span.family !== parsedHost.family) return false;
  const isEnd = parsedHost.address === span.first || parsedHost.address === span.last;
  const hasEnds = span.last - span.first > 1n;
  const isInside = parsedHost.address >= span.first && parsedHost.address <= span.last;
  return isInside && !(hasEnds && isEnd) && address.addressOf(network) !== host;
};

/** A network behind a CPE (section 3); announced in the node's space while `enableForward` is on. */
const fields = z.object({
  nCpeID: codec.id,
  interfaceName: text.interfaceName,
  /** The gateway of the section's hosts, with length: 10.1.1.1/24. The device's own address, unless it has another one. */
  network: address
    .ofInterfaces(address.ofSites(address.ipv4Cidr))
    .refine(address.isHostAddress, failsWith("hostAddress")),
  /** The same for IPv6, out of fc00::/7. */
  network6: codec.orNull(address.ofInterfaces(address.ofSites(address.ulaCidr))),
  vlan: codec.orNull(number.vlan),
  /** Carried in the space. */
  enableForward: codec.flag,
  /** May leave directly by the lines (source NAT). */
  enableDirect: codec.flag,
  /**
   * Its internet traffic enters the space and leaves where a site announces a default route
   * (specification section 2.3, route notices), never by the lines of its own site, whatever
   * `enableDirect` says.
   */
  enableCentral: codec.flag.default(false),
  /**
   * Address of this device in a section that it shares with the other device of its standby group: the gateway is
   * whose turn it is. Null: the section is this device's alone.
   */
  ownAddress: codec.orNull(address.ipv4Address).default(null),
  /** Addresses that its hosts get by DHCP, first to last; null: those that policies set, else the upper half of the network. */
  dhcpStart: codec.orNull(address.ipv4Host).default(null),
  dhcpEnd: codec.orNull(address.ipv4Host).default(null),
  /** Slot of the line whose delegated prefix its hosts have addresses of; null: none. */
  ipv6Slot: codec.orNull(codec.int(...number.ranges.linesOfNode)).default(null),
  /** Which network of the prefix; null: a free one. */
  ipv6Subnet: codec.orNull(codec.int(...number.ranges.subnet6)).default(null),
  remark: text.remark,
});
const draft = fields
  .refine(
    ({ ipv6Slot, ipv6Subnet }) => ipv6Subnet === null || ipv6Slot !== null,
    failsWith("required", {}, ["ipv6Slot"]),
  )
  .refine(
    ({ network, ownAddress }) => ownAddress === null || isOtherHost(network, ownAddress),
    failsWith("hostOf", {}, ["ownAddress"]),
  )
  .refine(
    ({ dhcpStart, dhcpEnd }) => dhcpStart !== null || dhcpEnd === null,
    failsWith("required", {}, ["dhcpStart"]),
  )
  .refine(
    ({ dhcpStart, dhcpEnd }) => dhcpStart === null || dhcpEnd !== null,
    failsWith("required", {}, ["dhcpEnd"]),
  )
  .superRefine(({ network, ownAddress, dhcpStart, dhcpEnd }, context) => {
    if (dhcpStart === null || dhcpEnd === null) return;
    const ownAddresses = ownAddress === null ? [] : [ownAddress];
    const range = { first: dhcpStart, last: dhcpEnd };
    const obstacle = rangeObstacle(range, { network, ownAddresses });
    if (obstacle === null) return;
    const { at, rule, address: value } = obstacle;
    const path = [at === "first" ? "dhcpStart" : "dhcpEnd"];
    context.addIssue({ code: "custom", ...failsWith(rule, { value }, path) });
  });

const row = z.object({
  id: z.number(),
  nCpeID: z.number(),
  interfaceName: z.string(),
  network: z.string(),
  network6: z.string().nullable(),
  vlan: z.number().nullable(),
  enableForward: codec.flag,
  enableDirect: codec.flag,
  enableCentral: codec.flag,
  ownAddress: z.string().nullable(),
  dhcpStart: z.string().nullable(),
  dhcpEnd: z.string().nullable(),
  ipv6Slot: z.number().nullable(),
  ipv6Subnet: z.number().nullable(),
  remark: z.string(),
});

export const lanSection = defineResource({
  name: "lansection",
  title: ["LAN 网段", "LAN section"],
  path: "/customer/lansection",
  id: "id",
  row,
  draft,
  query: z.object({ nCpeID: codec.id }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "interfaceName", "network"],
  sheet: { key: ["interfaceName", "vlan"], acrossCpes: true },
  owner: "nCpeID",
  may: {
    list: "configLansectionList",
    add: "lansectionAdd",
    edit: "lansectionEdit",
    remove: "lansectionRemove",
    combo: null,
  },
});

const switchInput = { nCpeID: codec.id, ids: codec.someIds };

export const lanSectionEnableForward = endpoint({
  id: "lansection.enableForwardSaveCpeid",
  method: "POST",
  path: "/customer/lansection/enableForwardSaveCpeid",
  input: z.object({ ...switchInput, enableForward: codec.flag }),
  output: nothing,
  may: "lansectionEnableForward",
});

/** The call says Redirect, the field says Direct (section 7.3 and 3). */
export const lanSectionEnableDirect = endpoint({
  id: "lansection.enableRedirectSaveCpeid",
  method: "POST",
  path: "/customer/lansection/enableRedirectSaveCpeid",
  input: z.object({ ...switchInput, enableDirect: codec.flag }),
  output: nothing,
  may: "lansectionEnableRedirect",
});

export const lanSectionSamples: Samples<typeof lanSection> = {
  valid: ({ cpeId }) => ({
    nCpeID: cpeId,
    interfaceName: "lan9",
    network: "10.77.1.1/24",
    network6: "fd00:77:1::1/64",
    vlan: null,
    enableForward: true,
    enableDirect: true,
    enableCentral: false,
    ownAddress: null,
    dhcpStart: null,
    dhcpEnd: null,
    ipv6Slot: null,
    ipv6Subnet: null,
    remark: "",
  }),
  edited: (ids) => ({
    ...lanSectionSamples.valid(ids),
    network: "10.77.2.1/24",
    enableCentral: true,
    ipv6Slot: 4,
    ipv6Subnet: 1,
    ownAddress: "10.77.2.2",
    dhcpStart: "10.77.2.100",
    dhcpEnd: "10.77.2.199",
  }),
  distinct: (mark) => ({
    network: `${networkOf(mark)}.1/24`,
    network6: null,
    ownAddress: null,
    dhcpStart: null,
    dhcpEnd: null,
  }),
  invalid: [
    { field: "network", value: "10.77.1.1", rule: "ipv4Cidr" },
    { field: "network", value: "127.0.0.1/8", rule: "reservedNetwork" },
    { field: "network", value: "10.77.1.0/24", rule: "hostAddress" },
    { field: "network", value: "10.77.1.255/24", rule: "hostAddress" },
    { field: "network6", value: "2001:db8::1/64", rule: "ulaCidr" },
    { field: "network6", value: "fd57:6566:0:3::1/64", rule: "reservedNetwork" },
    { field: "network", value: "11.0.0.1/7", rule: "wideNetwork" },
    { field: "network", value: "169.1.0.1/8", rule: "reservedInside" },
    { field: "network", value: "198.16.0.1/13", rule: "reservedInside" },
    { field: "network6", value: "fd57::1/16", rule: "reservedInside" },
    { field: "network6", value: "fc00::1/7", rule: "wideNetwork" },
    { field: "vlan", value: 4095, rule: "vlan" },
    { field: "ownAddress", value: "10.77.3.2", rule: "hostOf" },
    { field: "dhcpStart", value: "10.77.1", rule: "ipv4" },
    { field: "ipv6Slot", value: 5, rule: "outOfRange" },
    {
      field: "ipv6Slot",
      value: null,
      rule: "required",
      beside: { ipv6Slot: 4, ipv6Subnet: 1 },
    },
    { field: "ipv6Subnet", value: 65_536, rule: "outOfRange" },
    { field: "interfaceName", value: "", rule: "required" },
    { field: "interfaceName", value: "wm1", rule: "ownInterface" },
  ],
};
