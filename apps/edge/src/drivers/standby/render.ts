/** The configuration of keepalived(8), for VRRP version 3 (RFC 5798). Pure: nothing in it is started or interpreted. */
import type { StandbySection } from "@weft/contract/device/v1/standby.ts";
import { addressOf } from "@weft/contract/rules/address.ts";
import { canonicalAddress, canonicalCidr, familyOf } from "#drivers/address.ts";

/** Files of the program: all of them go with a reboot. */
export interface StandbyPaths {
  readonly config: string;
  /** "1" while the device is worth less than the other one, "0" else; written by the edge. */
  readonly failed: string;
  readonly pid: string;
  readonly childPid: string;
}

/** Seconds between two advertisements: a silent device is missed after three of them and a bit. */
const advertSeconds = 0.1;
/** 255 is for owners of an address, and 1 for a device that has failed. */
const bounds = { min: 2, max: 254 } as const;

const priorityOf = ({ priority }: StandbySection): number =>
  Math.min(bounds.max, Math.max(bounds.min, priority));

/** Down to the least that there is, whatever it was: of two that have failed the active one stays so. */
const penalty = 1 - bounds.max;

const block = (header: string, lines: readonly string[]): string[] => [
  `${header} {`,
  ...lines.map((line) => `  ${line}`),
  "}",
];

type Lan = StandbySection["lans"][number];

/** An advertisement names addresses of one family; those of the other follow silently. */
const addressBlocks = ({ interfaceName, gateways }: Lan): string[] => {
  const of = (family: 4 | 6) =>
    gateways
      .filter((gateway) => familyOf(addressOf(gateway)) === family)
      .map((gateway) => `${canonicalCidr(gateway)} dev ${interfaceName}`);
  const others = of(6);
  return [
    ...block("virtual_ipaddress", of(4)),
    ...(others.length > 0 ? block("virtual_ipaddress_excluded", others) : []),
  ];
};

const tracked = block("track_file", ["whole"]);

export const renderStandby = (section: StandbySection, paths: StandbyPaths): string => {
  const { group, lans } = section;
  // One LAN moves with all others: a device is active in all of them or in none.
  const isGrouped = lans.length > 1;
  return [
    ...block("global_defs", [
      "vrrp_version 3",
      // Without a name the program asks the resolver for that of its host, and waits for an answer before it does anything else.
      "router_id weft",
      // Advertisements must not wait behind what a busy device computes, where it may be set.
      "vrrp_priority -20",
      // A switch or host that missed the first announcement of the gateway's new place.
      "vrrp_garp_master_delay 1",
      "vrrp_garp_master_refresh 60",
    ]),
    ...block("track_file whole", [`file "${paths.failed}"`, `weight ${penalty}`]),
    ...(isGrouped
      ? block("vrrp_sync_group site", [
          ...block(
            "group",
            lans.map(({ interfaceName }) => interfaceName),
          ),
          ...tracked,
        ])
      : []),
    ...lans.flatMap((lan) =>
      block(`vrrp_instance ${lan.interfaceName}`, [
        "state BACKUP",
        `interface ${lan.interfaceName}`,
        `virtual_router_id ${group}`,
        `priority ${priorityOf(section)}`,
        `advert_int ${advertSeconds}`,
        `mcast_src_ip ${canonicalAddress(addressOf(lan.own))}`,
        ...(isGrouped ? [] : tracked),
        ...addressBlocks(lan),
      ]),
    ),
    "",
  ].join("\n");
};
