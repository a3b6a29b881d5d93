/** Sets that people type: addresses and host names, comma-joined on the wire. */
import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { failsWith } from "#kernel/rule.ts";
import { isAddressRange, parseAddress, parsePrefix } from "./address.ts";

/** Most members of one set. */
const most = 1_000;

const isIpMember = (value: string): boolean =>
  parseAddress(value) !== null ||
  parsePrefix(value) !== null ||
  isAddressRange(value, 4) ||
  isAddressRange(value, 6);

const label = "(?!-)[a-z0-9-]{1,63}(?<!-)";
const host = new RegExp(`^(?:\\*\\.)?${label}(?:\\.${label})*\\.[a-z][a-z0-9-]{1,62}$`, "i");

const isHostMember = (value: string): boolean => value.length <= 253 && host.test(value);

const members = (isMember: (value: string) => boolean, rule: "ipSet" | "hostName") =>
  z
    .codec(z.union([z.string(), z.array(z.string())]), z.array(z.string()), {
      decode: (value) =>
        (Array.isArray(value) ? value : value.split(/[,\s]+/)).filter((part) => part !== ""),
      encode: (value) => value.join(","),
    })
    .refine((value) => value.length > 0, failsWith("required"))
    .refine((value) => value.length <= most, failsWith("tooMany", { max: most }))
    .refine((value) => value.every(isMember), failsWith(rule));

/** Addresses, prefixes and ranges of either family; at least one. */
export const ipMembers = members(isIpMember, "ipSet");
/** Host names; `*.` before one takes in all below it. At least one. */
export const hostMembers = members(isHostMember, "hostName");

/** Names of places and the like, comma-joined; at most so many. */
export const words = (max: number, length: number) =>
  codec.wordList
    .refine((value) => value.length <= max, failsWith("tooMany", { max }))
    .refine(
      (value) => value.every((one) => one.length <= length),
      failsWith("tooLong", { max: length }),
    );
