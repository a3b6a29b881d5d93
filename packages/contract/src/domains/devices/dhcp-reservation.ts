import { z } from "zod";
import type { Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { defineResource } from "#kernel/resource.ts";
import * as address from "#rules/address.ts";
import * as host from "#rules/host.ts";
import * as mac from "#rules/mac-forms.ts";
import * as text from "#rules/text.ts";

/** The address that a host always gets of the CPE's DHCP server, in a LAN section of the CPE. */
const draft = z.object({
  nCpeID: codec.id,
  /** Of the host's card. */
  mac: mac.hostMac,
  address: address.ipv4Host,
  /** What the host is called, also in the DNS of the site; null: as it calls itself. */
  hostName: codec.orNull(host.hostLabel),
  remark: text.remark,
});

const row = z.object({
  id: z.number(),
  nCpeID: z.number(),
  mac: z.string(),
  address: z.string(),
  hostName: z.string().nullable(),
  remark: z.string(),
});

export const dhcpReservation = defineResource({
  name: "dhcpReservation",
  title: ["DHCP 地址保留", "DHCP reservation"],
  addition: "printers, servers and cameras of a site need an address that stays the same",
  path: "/customer/dhcpReservation",
  id: "id",
  row,
  draft,
  query: z.object({ nCpeID: codec.id }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["id", "address", "mac"],
  sheet: { key: ["mac"] },
  owner: "nCpeID",
  may: {
    list: "configLan",
    add: "configLan",
    edit: "configLan",
    remove: "configLan",
    combo: null,
  },
});

const octet = (value: number): string => (value & 255).toString(16).padStart(2, "0");

/** In a LAN section of this network, which the CPE of the samples has. */
export const reservationSampleNetwork = "10.209.0.1/16";

export const dhcpReservationSamples: Samples<typeof dhcpReservation> = {
  valid: ({ cpeId }) => ({
    nCpeID: cpeId,
    mac: "02:00:5e:10:00:01",
    address: "10.209.0.20",
    hostName: "printer-1",
    remark: "",
  }),
  edited: (ids) => ({
    ...dhcpReservationSamples.valid(ids),
    address: "10.209.0.21",
    hostName: null,
    remark: "二楼",
  }),
  distinct: ({ number }) => ({
    mac: `02:00:5e:11:${octet(number >> 8)}:${octet(number)}`,
    address: `10.209.${1 + ((number >> 8) % 255)}.${number & 255}`,
    hostName: `host-${number}`,
  }),
  invalid: [
    { field: "mac", value: "02:00:5e:10:00", rule: "mac" },
    { field: "mac", value: "01:00:5e:10:00:01", rule: "macOfCard" },
    { field: "mac", value: "ff:ff:ff:ff:ff:ff", rule: "macOfCard" },
    { field: "mac", value: "00:00:00:00:00:00", rule: "macOfCard" },
    { field: "address", value: "10.209.1", rule: "ipv4" },
    { field: "address", value: "127.0.0.9", rule: "hostAddress" },
    { field: "hostName", value: "a.b", rule: "hostLabel" },
    { field: "hostName", value: "12h", rule: "hostLabel" },
    { field: "hostName", value: "ignore", rule: "hostLabel" },
  ],
};
