/** Fields that several families of policy objects share (specification section 3, entities.json). */
import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { failsWith } from "#kernel/rule.ts";
import * as address from "#rules/address.ts";
import { isDomain as isName } from "#rules/host.ts";
import { isWholeIn } from "#rules/number.ts";
import * as text from "#rules/text.ts";
import { isClock } from "#rules/time-zone.ts";

/** Monday 1 to Sunday 7. */
export const weekdayCodes = [1, 2, 3, 4, 5, 6, 7] as const;

const isWeekdays = (days: readonly number[]): boolean =>
  days.every((day) => isWholeIn(day, [1, 7])) && new Set(days).size === days.length;

/** Comma-joined days of the week, 1 to 7; none means every day. */
export const weekdays = codec.idList.refine(isWeekdays, failsWith("oneOf", { values: "1–7" }));

/** Row of another family of the same owner; empty: none. */
export const reference = codec.orNull(codec.id);

/** A row of a node replaces the template's of the same name. */
export const byName = { by: "key", key: ({ name }: { readonly name?: unknown }) => name } as const;

/** What every named object has. */
export const named = { name: text.name, remark: text.remark } as const;

/** What every rule has. Empty or 0: behind the rules that there are. */
export const ordered = { enable: codec.flag, sort: codec.orNull(codec.int(0, 9_999)) } as const;

/** HH:mm of a day; 24:00 is its end. */
export const clock = z.string().refine(isClock, failsWith("clock"));

/** One address of either family, a range `start-end`, or a network `address/length`. */
export const isAddresses = (value: string): boolean =>
  address.parseAddress(value) !== null ||
  address.isAddressRange(value, 4) ||
  address.isAddressRange(value, 6) ||
  address.parsePrefix(value) !== null;
/** A range of IPv6 addresses is the longest. */
export const addresses = codec.text(96, 1).refine(isAddresses, failsWith("ipSet"));

/** A domain name of two labels or more; a leading `*.` stands for all names below it. */
export const isDomain = (value: string): boolean =>
  value.length <= 253 && value.includes(".") && isName(value.replace(/^\*\./, ""));
export const domain = codec.text(253, 1).refine(isDomain, failsWith("hostName"));

/** Bits of a mask, each a power of two. */
export const bitsOf = (bits: readonly number[]) =>
  codec.int(
    0,
    bits.reduce((sum, bit) => sum + bit, 0),
  );

/** What every group has whose entries are a family of their own. */
export const groupOfEntries = {
  fields: z.object(named),
  facts: z.object({
    /** How many entries it has. */
    members: z.number(),
  }),
  label: "name",
  verbs: ["list", "add", "edit", "remove", "combo"],
  sort: ["name"],
  merge: byName,
} as const;

/** What groups have that may be those of the enterprise. */
export const groupOfEnterprise = {
  ...groupOfEntries,
  facts: groupOfEntries.facts.extend({
    /**
     * Members of the enterprise's group of its name, which it has while it has no entries. Of a template: at most so many,
     * since each site takes those of its own enterprise. 0: there is no such group.
     */
    enterpriseMembers: z.number(),
  }),
} as const;

/** What every family of rules has that apply in an order. */
export const orderedRule = {
  facts: z.object({}),
  label: "name",
  isOrdered: true,
  merge: { by: "order" },
  canBeOff: true,
  verbs: ["list", "add", "edit", "remove", "combo"],
  sort: ["sort", "name"],
} as const;
