import { describe, expect, test } from "vitest";
import { actingRules, hostClasses } from "./host-classes.ts";
import { stateLimits } from "./limits.ts";
import { policySection } from "./policy.ts";

const deny = (id: number, sources: number | null, given: object = {}) => ({
  id,
  sources,
  names: [`n${id}.example`],
  time: null,
  denies: true,
  ...given,
});
const allow = (id: number, sources: number | null) => deny(id, sources, { denies: false });
const shown = (
  rules: readonly ReturnType<typeof deny>[],
  sets: readonly { readonly id: number; readonly members: string[] }[],
) =>
  hostClasses(rules, sets).map(({ rules, hosts }) => [
    rules.map(({ id }) => id).join(),
    hosts && [...hosts[4], ...hosts[6]].join(" "),
  ]);

describe("classes of hosts", () => {
  const staff = { id: 1, members: ["10.0.0.0/24", "fd57::/64"] };
  const guests = { id: 2, members: ["10.0.0.128-10.0.1.9"] };

  test("one for all hosts, where no rule names a source", () => {
    expect(shown([deny(1, null), deny(2, null)], [staff])).toEqual([["1,2", null]]);
    expect(shown([], [staff])).toEqual([]);
    expect(shown([allow(1, null)], [staff])).toEqual([]);
  });

  test("one for each set of rules that are tried, in both families", () => {
    expect(shown([deny(1, 1), deny(2, 2)], [staff, guests])).toEqual([
      ["1", "10.0.0.0-10.0.0.127 fd57::-fd57::ffff:ffff:ffff:ffff"],
      ["1,2", "10.0.0.128-10.0.0.255"],
      ["2", "10.0.1.0-10.0.1.9"],
    ]);
  });

  test("an exception makes one of its own, and nothing after the last denial does", () => {
    expect(shown([allow(1, 1), deny(2, null)], [staff])).toEqual([
      ["1,2", "10.0.0.0-10.0.0.255 fd57::-fd57::ffff:ffff:ffff:ffff"],
      ["2", null],
    ]);
    expect(shown([deny(2, null), allow(1, 1)], [staff])).toEqual([["2", null]]);
  });

  test("overlapping and adjoining members are one stretch", () => {
    const set = { id: 3, members: ["10.0.0.0/25", "10.0.0.64/26", "10.0.0.128/25", "10.9.9.9"] };
    expect(shown([deny(1, 3)], [set])).toEqual([["1", "10.0.0.0-10.0.0.255 10.9.9.9"]]);
  });
});

describe("rules beyond what a device has resolvers for", () => {
  const most = stateLimits.nameFilters;
  const sets = Array.from({ length: most + 4 }, (_, at) => ({
    id: at + 1,
    members: [`10.0.${at}.1`],
  }));
  const rules = sets.map(({ id }) => deny(id + 1, id));

  test("are all from the first one on that has no room", () => {
    expect(actingRules(rules.slice(0, most), sets)).toBe(most);
    expect(actingRules(rules, sets)).toBe(most);
    expect(actingRules([...rules, deny(99, null)], sets)).toBe(most);
    expect(actingRules([deny(99, null), ...rules], sets)).toBe(most + 1);
  });

  test("are refused in a state", () => {
    const section = (count: number) => ({
      sets,
      limits: [],
      nameRules: rules.slice(0, count),
    });
    expect(policySection.safeParse(section(most)).success).toBe(true);
    expect(policySection.safeParse(section(most + 1)).success).toBe(false);
  });
});
