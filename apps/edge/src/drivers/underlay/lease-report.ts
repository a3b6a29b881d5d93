/** What the DHCP client reported of a lease, and what of it is used. Everything in it came from a network. Pure. */
import {
  addressOf,
  isGatewayOf,
  isMask,
  isWithin,
  lineAddress,
  networkOf,
  parseAddress,
  parsePrefix,
} from "@weft/contract/rules/address.ts";
import type { Lease, LeaseFault } from "./render.ts";

/** Options as dhcpcd prints them (dhcpcd-run-hooks(8)); absent: the server did not send it. */
export interface LeaseReport {
  /** Seconds since the machine booted. */
  readonly at: number;
  readonly ip_address?: string | undefined;
  readonly subnet_mask?: string | undefined;
  readonly routers?: string | undefined;
  /** "<network>/<length> <router>", one behind the other. */
  readonly classless_static_routes?: string | undefined;
  readonly domain_name_servers?: string | undefined;
  /** Seconds; absent: without an end. */
  readonly dhcp_lease_time?: string | undefined;
  /** T1 in seconds (RFC 2132, 9.11); absent: half of the time of the lease. */
  readonly dhcp_renewal_time?: string | undefined;
}

/** As option 51 says "for good". */
const infinite = 0xffff_ffff;
const maxServers = 4;

const words = (text: string | undefined): string[] =>
  (text ?? "").split(" ").filter((word) => word !== "");

const isIpv4 = (text: string): boolean => parseAddress(text)?.family === 4;

const lengthOf = (mask: string): number | null =>
  isIpv4(mask) && isMask(mask)
    ? mask
        .split(".")
        .map((part) => Number(part).toString(2).replaceAll("0", "").length)
        .reduce((sum, part) => sum + part, 0)
    : null;

/** The default of the classless routes: with them, other routers do not count (RFC 3442). */
const gatewayOf = ({ classless_static_routes: routes, routers }: LeaseReport): string | null => {
  if (routes === undefined) return words(routers)[0] ?? null;
  const all = words(routes);
  const at = all.findIndex((word, index) => index % 2 === 0 && parsePrefix(word)?.length === 0);
  return at < 0 ? null : (all[at + 1] ?? null);
};

/** A router outside of the network is reached only where the lease has none, as many clouds give it. */
const isReachable = (address: string, gateway: string): boolean =>
  isIpv4(gateway) &&
  isGatewayOf(address, gateway) &&
  (parsePrefix(address)?.length === 32 || isWithin(networkOf(address), gateway));

const faultOf = (address: string, gateway: string | null, seconds: number): LeaseFault | null => {
  if (seconds === 0) return { reason: "leaseNoTime", params: {} };
  if (!lineAddress.safeParse(address).success) return { reason: "leaseInvalid", params: {} };
  return gateway === null || isReachable(address, gateway)
    ? null
    : { reason: "leaseGateway", params: { gateway: gateway.slice(0, 64) } };
};

const secondsOf = (text: string | undefined): number => {
  const seconds = text === undefined ? infinite : Number(text);
  return Number.isInteger(seconds) && seconds >= 0 ? seconds : 0;
};

/** @returns null: there is no address in it, or its time has passed. @param now seconds since the machine booted */
export const leaseOf = (report: LeaseReport, now: number): Lease | null => {
  const { ip_address: ip = "", subnet_mask: mask = "255.255.255.255" } = report;
  const seconds = secondsOf(report.dhcp_lease_time);
  if (!isIpv4(ip) || !Number.isFinite(report.at)) return null;
  if (seconds !== 0 && seconds !== infinite && now >= report.at + seconds) return null;
  const length = lengthOf(mask);
  const address = `${ip}/${length ?? 0}`;
  const gateway = gatewayOf(report);
  const dns = words(report.domain_name_servers).filter(isIpv4).slice(0, maxServers);
  const fault = faultOf(address, gateway, seconds);
  return {
    address,
    gateway: fault === null ? gateway : null,
    ...(dns.length > 0 && { dns }),
    ...(fault !== null && { fault }),
  };
};

/**
 * When the client asks its server whether the lease still holds (T1 of RFC 2131, 4.4.5).
 *
 * @returns seconds since the machine booted; null: it does not ask
 */
export const renewalOf = (report: LeaseReport): number | null => {
  const seconds = secondsOf(report.dhcp_lease_time);
  const given = secondsOf(report.dhcp_renewal_time ?? "0");
  if (given > 0 && given < seconds) return report.at + given;
  return seconds === infinite ? null : report.at + seconds / 2;
};

/** Null: it is none. */
export const parseReport = (text: string): LeaseReport | null => {
  try {
    const report: unknown = JSON.parse(text);
    return typeof report === "object" && report !== null ? (report as LeaseReport) : null;
  } catch {
    return null;
  }
};

/** What another client of the same lease noted, as a report; its end is not known, so it is short. */
export const reportOf = ({ address, gateway, dns }: Lease, at: number): LeaseReport => {
  const length = parsePrefix(address)?.length ?? 32;
  const bits = 0xffff_ffffn ^ ((1n << BigInt(32 - length)) - 1n);
  const part = (shift: bigint) => `${(bits >> shift) & 255n}`;
  return {
    at,
    ip_address: addressOf(address),
    subnet_mask: [24n, 16n, 8n, 0n].map(part).join("."),
    routers: gateway ?? undefined,
    domain_name_servers: dns?.join(" "),
    dhcp_lease_time: "600",
  };
};
