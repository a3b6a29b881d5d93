/** Addresses that a site keeps for hosts: which of them its device is sent, and why the others do not act. Pure. */
import { dnsCapabilities } from "@weft/contract/device/v1/dns.ts";
import { stateLimits } from "@weft/contract/device/v1/limits.ts";
import { dhcpReservation } from "@weft/contract/domains/devices/dhcp-reservation.ts";
import { isWithin, parseAddress } from "@weft/contract/rules/address.ts";
import { defaultRange, reservationObstacle } from "@weft/contract/rules/dhcp-range.ts";
import type { PolicyFinding } from "./findings.ts";
import { cannot, type PolicyContext, type Verdict } from "./verdict.ts";

interface Reservation {
  readonly id: number;
  /** False: of the other device of the standby group. */
  readonly isOwn: boolean;
  readonly mac: string;
  readonly address: string;
  readonly name: string | null;
}

interface Section {
  readonly network: string;
  readonly vlan: number | null;
  readonly ownAddress?: string | null;
}

const isTagged = ({ vlan }: Section): boolean => (vlan ?? 0) !== 0;

/** Why no host gets the address on any device; null: one does. */
function placeVerdict({ address }: Reservation, sections: readonly Section[]): Verdict | null {
  const section = sections.find(({ network }) => isWithin(network, address));
  if (section && isTagged(section)) return cannot("fieldNotCarriedOut", { field: "vlan" });
  const obstacle = reservationObstacle(
    address,
    // Without room for a second host there is no DHCP.
    sections
      .filter(({ network }) => defaultRange(network) !== null)
      .map(({ network, ownAddress }) => ({
        network,
        ownAddresses: ownAddress == null ? [] : [ownAddress],
      })),
  );
  if (obstacle === "outsideLans") return cannot("notInLan", { host: address });
  return obstacle === null ? null : cannot("addressOfLan", { address });
}

const numberOf = ({ address }: Reservation): bigint => parseAddress(address)?.address ?? 0n;

const byAddress = (reservation: Reservation, other: Reservation): number =>
  numberOf(reservation) < numberOf(other) ? -1 : 1;

/**
 * Those that act where the device can, by their addresses. The node's own come first: what the other device of its
 * group says of the same host, address or name was written before they were one site.
 */
export function keptReservations<One extends Reservation>(
  all: readonly One[],
  sections: readonly Section[],
): One[] {
  const taken = new Set<string>();
  const isNew = (key: string): boolean => taken.size < taken.add(key).size;
  return all
    .filter((reservation) => placeVerdict(reservation, sections) === null)
    .toSorted((a, b) => Number(b.isOwn) - Number(a.isOwn) || byAddress(a, b))
    .filter(({ mac, address }) => {
      const isFree = !taken.has(mac) && !taken.has(address);
      if (isFree) taken.add(mac).add(address);
      return isFree;
    })
    .map((reservation) => ({
      ...reservation,
      name:
        reservation.name !== null && isNew(`name ${reservation.name.toLowerCase()}`)
          ? reservation.name
          : null,
    }))
    .slice(0, stateLimits.dhcpReservations)
    .sort(byAddress);
}

const can = ({ capabilities }: Pick<PolicyContext, "capabilities">, wanted: string): boolean =>
  capabilities?.some(({ name, can: able }) => able && name === wanted) ?? false;

/** The node's own that do not act. */
export function reservationFindings(
  all: readonly Reservation[],
  sections: readonly Section[],
  context: Pick<PolicyContext, "capabilities" | "isBypass" | "givesAddresses">,
): PolicyFinding[] {
  // What becomes of them is seen once there is a device.
  if (context.capabilities === null) return [];
  const isAble = can(context, dnsCapabilities.dhcp) && can(context, dnsCapabilities.reservations);
  const ofDevice =
    (isAble ? null : cannot("notCarriedOut")) ??
    (context.isBypass ? cannot("bypass") : null) ??
    (context.givesAddresses === false ? cannot("dhcpOff") : null);
  const kept = new Set(keptReservations(all, sections).map(({ id }) => id));
  return all
    .filter(({ isOwn }) => isOwn)
    .flatMap((reservation) => {
      const verdict =
        ofDevice ??
        placeVerdict(reservation, sections) ??
        (kept.has(reservation.id)
          ? null
          : cannot("tooMany", { most: `${stateLimits.dhcpReservations}` }));
      return verdict === null
        ? []
        : [
            {
              family: dhcpReservation.name,
              level: "node" as const,
              objectId: reservation.id,
              name: reservation.address,
              denies: false,
              ...verdict,
            },
          ];
    });
}
