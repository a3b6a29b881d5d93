/**
 * Time groups: a set for each, with one element while the group is active. They are switched by the edge and not
 * matched by nft, which takes the day of the week in UTC and the hour in the zone of the program that loads the rules.
 */
import type { PolicySection, TimeGroup } from "@weft/contract/device/v1/policy.ts";
import { type NamedSet, namedSet } from "./sources.ts";

/** Groups of a device, and the zone that they are in. */
export interface Times {
  readonly zone: string;
  readonly groups: readonly TimeGroup[];
}

export const timesOf = (policy: PolicySection | undefined): Times | null =>
  policy?.times && policy.timeZone && policy.times.length > 0
    ? { zone: policy.timeZone, groups: policy.times }
    : null;

const setOf = (id: number): string => `s_time_${id}`;

/** What a rule begins with that names a time group; null: it names none. */
export const timeMatch = (id: number | null | undefined): readonly string[] =>
  id == null ? [] : [`meta mark & 0x0 == @${setOf(id)}`];

/** Without elements: which groups are active is no part of the rules. */
export const timeSets = (times: Times | null): NamedSet[] =>
  (times?.groups ?? []).map(({ id }) => namedSet(setOf(id), "type mark;", []));

/** Fills the sets in the transaction that makes them. */
export const whileActive = (ids: readonly number[], table: string): string =>
  ids.map((id) => `add element inet ${table} ${setOf(id)} { 0x0 }\n`).join("");
