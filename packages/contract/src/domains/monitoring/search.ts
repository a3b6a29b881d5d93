/** Finds rows of every kind in the scope of the caller by one text, such as a customer gives on the phone. */

import { z } from "zod";
import { everySession } from "#contract/access.ts";
import { healthFields } from "#domains/devices/health.ts";
import { alarmLevels } from "#domains/notifications/enums.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint } from "#kernel/endpoint.ts";

/** Kinds of rows that a text finds, in the order of their groups. */
export const foundKinds = [
  "cpe",
  "pop",
  "enterprise",
  "account",
  "netSpace",
  "template",
  "alarm",
] as const;
export type FoundKind = (typeof foundKinds)[number];

/** Rows of each kind, the best first. */
export const maxFound = 5;

/** By what a row was found, beside its name; the value is what is stored, not what was typed. */
export const foundBy = [
  "serial",
  /** Address of a WAN line, as it was set or as DHCP gave it. */
  "line",
  /** Network of a LAN that the address is in. */
  "lan",
  /** A host that has a lease of the CPE: its address, hardware address or name. */
  "host",
  /** Tunnel address or login name of an account. */
  "address",
  "login",
  "phone",
] as const;
export type FoundBy = (typeof foundBy)[number];

const foundRow = z.object({
  kind: z.enum(foundKinds),
  id: z.number(),
  name: z.string(),
  enterpriseName: z.string(),
  /** Null: by its name; `value` is then empty, and the sentence of an alarm. */
  by: z.enum(foundBy).nullable(),
  value: z.string(),
  /** Of a CPE or POP; of others null. */
  ...healthFields,
  lastOnline: codec.instant.nullable(),
  /** Severity of an alarm; null: the row is none. */
  level: codec.code(alarmLevels).nullable(),
});
export type FoundRow = z.output<typeof foundRow>;

export const searchFind = endpoint({
  id: "search.find",
  addition:
    "one call finds rows of every kind by any text; the specification has lists of one kind",
  method: "GET",
  path: "/customer/search/find",
  input: z.object({
    /**
     * A part of a name, serial number, login name or phone number; initials in pinyin; an IP address; a hardware
     * address in any of the forms of IEEE 802.
     */
    text: codec.text(64),
  }),
  output: z.array(foundRow),
  may: everySession("it finds only kinds of rows whose list the caller may ask for"),
});
