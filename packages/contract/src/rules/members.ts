/** Sets that people type: addresses and host names, comma-joined on the wire. */
import { z } from "zod";
import type { DestinationKind } from "#domains/policies/destination-enums.ts";
import * as codec from "#kernel/codec.ts";
import { failsWith } from "#kernel/rule.ts";
import { isAddressRange, parseAddress, parsePrefix } from "./address.ts";
import { isBuiltIn } from "./applications.ts";

/** Most members of one set. */
const maxMembers = 1_000;

const isIpMember = (value: string): boolean =>
  parseAddress(value) !== null ||
  parsePrefix(value) !== null ||
  isAddressRange(value, 4) ||
  isAddressRange(value, 6);

const label = "(?!-)[a-z0-9-]{1,63}(?<!-)";
const host = new RegExp(
  `^(?:\\*\\.)?${label}(?:\\.${label})*\\.[a-z][a-z0-9-]{0,61}[a-z0-9]$`,
  "i",
);

const isHostMember = (value: string): boolean => value.length <= 253 && host.test(value);

/** Whether the number is one of the catalogue's, the controller knows. */
const isApplicationMember = (value: string): boolean => /^[1-9]\d{3,5}$/.test(value);

const isProtocolMember = (value: string): boolean =>
  /^[1-9]\d{0,4}$/.test(value) && isBuiltIn(Number(value));

type MemberRule = "ipSet" | "hostName" | "unknown";

const members = (isMember: (value: string) => boolean, rule: MemberRule) =>
  z
    .codec(z.union([z.string(), z.array(z.string())]), z.array(z.string()), {
      decode: (value) =>
        (Array.isArray(value) ? value : value.split(/[,\s]+/)).filter((part) => part !== ""),
      encode: (value) => value.join(","),
    })
    .refine((value) => value.length > 0, failsWith("required"))
    .refine((value) => value.length <= maxMembers, failsWith("tooMany", { max: maxMembers }))
    .refine((value) => value.every(isMember), failsWith(rule));

/** Addresses, prefixes and ranges of either family; at least one. */
export const ipMembers = members(isIpMember, "ipSet");
/** Host names; `*.` before one includes all below it. At least one. */
export const hostMembers = members(isHostMember, "hostName");

/** Names of places and the like, comma-joined; at most `max`. */
export const textList = (max: number, length: number) =>
  codec.keyList
    .refine((value) => value.length <= max, failsWith("tooMany", { max }))
    .refine(
      (value) => value.every((text) => text.length <= length),
      failsWith("tooLong", { max: length }),
    );

/** What one member of each kind is, and the rule that another thing breaks. */
export const destinationMembers: Readonly<
  Record<DestinationKind, { is(value: string): boolean; readonly rule: MemberRule }>
> = {
  domain: { is: isHostMember, rule: "hostName" },
  dpi: { is: isProtocolMember, rule: "unknown" },
  ip: { is: isIpMember, rule: "ipSet" },
  app: { is: isApplicationMember, rule: "unknown" },
};

/** A set of members of one kind; at least one. */
export const membersOfKind = (kind: DestinationKind) => {
  const { is, rule } = destinationMembers[kind];
  return members(is, rule);
};
