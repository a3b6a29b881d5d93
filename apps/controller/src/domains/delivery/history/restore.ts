/** A past state brought back among the links of today (docs/adr/0008-history.md). Pure. */
import { isDeepStrictEqual } from "node:util";
import {
  declarationOf,
  type SectionKind,
  type Sections,
  sectionKinds,
} from "@weft/contract/device/v1/sections.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { linesOfBoth, vlansOfBoth, wanOfBoth } from "./restored-lines.ts";

/** Networks that the node brought along in a past state. */
export function announcedIn(past: DesiredState): string[] {
  if (past.routings.length > 0) {
    return [...new Set(past.routings.flatMap(({ announce }) => announce))].sort();
  }
  const lans = past.underlay.lans.filter(({ forward }) => forward);
  return [...new Set(lans.flatMap(({ addresses }) => addresses).map(networkOf))].sort();
}

type Whole = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** For example `underlay.lines`. */
type FittedField = {
  [Kind in SectionKind]: {
    [Field in keyof Sections[Kind]["fields"] & string]: Sections[Kind]["fields"][Field] extends {
      readonly restored: "fitted";
    }
      ? `${Kind}.${Field}`
      : never;
  }[keyof Sections[Kind]["fields"] & string];
}[SectionKind];

/** Values that are of both states. */
const fitted: Readonly<
  Record<FittedField, (past: DesiredState, present: DesiredState) => unknown>
> = {
  "underlay.lines": linesOfBoth,
  "underlay.vlans": vlansOfBoth,
  "firewall.wan": wanOfBoth,
};

/** Sections that a state has once: the others stay as they are. */
const singleKinds = sectionKinds.filter((kind) => declarationOf(kind).occurs !== "perSpace");

/** One section of both states, field by field as it declares; undefined: neither gives any. */
function restoredSection(section: SectionKind, past: DesiredState, present: DesiredState) {
  const [was, is] = [past as unknown as Whole, present as unknown as Whole];
  const fields = Object.entries(declarationOf(section).fields).flatMap(
    ([field, { restored: from }]) => {
      const value =
        from === "fitted"
          ? fitted[`${section}.${field}` as FittedField](past, present)
          : (from === "past" ? was : is)[section]?.[field];
      return value === undefined ? [] : [[field, value] as const];
    },
  );
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

/** Fields of each section that go back with a past state, wholly or in part; all others are those of today. */
const fieldsBack: ReadonlyMap<string, readonly string[]> = new Map(
  sectionKinds.flatMap((kind) => {
    const fields = Object.entries(declarationOf(kind).fields).flatMap(
      ([field, { restored: from }]) => (from === "present" ? [] : [field]),
    );
    return fields.length === 0 ? [] : [[kind, fields] as const];
  }),
);

export const sectionsBack: readonly string[] = [...fieldsBack.keys()];

/** Whether a section of a past state differs from today's in a field that goes back. */
export function differsInBack(kind: string, past: unknown, present: unknown): boolean {
  const [was, is] = [past, present].map((content) => (content ?? {}) as Record<string, unknown>);
  return (fieldsBack.get(kind) ?? []).some(
    (field) => !isDeepStrictEqual(was?.[field], is?.[field]),
  );
}

/**
 * The state that a node held at a past one gets: lines, LANs, static routes and what a LAN may do
 * are those of the past; links, neighbours and tunnel ports are those of today, because their keys
 * and addresses are agreed with the other ends, and so is what may not pass. A line that today's
 * links need stays as it is.
 */
export function restored(past: DesiredState, present: DesiredState): DesiredState {
  const single = singleKinds.filter((kind) => kind in past || kind in present);
  const sections = single.flatMap((kind) => {
    const content = restoredSection(kind, past, present);
    return content === undefined ? [] : [[kind, content] as const];
  });
  return { ...present, ...Object.fromEntries(sections) };
}
