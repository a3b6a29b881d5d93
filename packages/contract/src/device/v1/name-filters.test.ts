import { describe, expect, test } from "vitest";
import { filterOf, filterPorts, filtersOf, rulesAtTime } from "./name-filters.ts";

const deny = (id: number, sources: number | null, given: object = {}) => ({
  id,
  sources,
  names: [`n${id}.example`],
  time: null,
  denies: true,
  ...given,
});

describe("rules of a state", () => {
  const dns = { answers: [], servers: [], denied: [], ranges: [] };
  const policy = {
    sets: [],
    limits: [],
    timeZone: "Asia/Shanghai",
    times: [{ id: 5, weekdays: [], start: "12:00", end: "13:00" }],
    nameRules: [deny(1, null, { time: 5 }), deny(2, null)],
  };

  test("hosts of the blacklist come first, and without a resolver there is none", () => {
    const blocked = { ...dns, deniedHosts: ["bad.example"] };
    expect(filtersOf({ dns: blocked, policy })[0]?.rules.map(({ id }) => id)).toEqual([null, 1, 2]);
    expect(filtersOf({ dns: blocked })[0]?.rules.map(({ names }) => names)).toEqual([
      ["bad.example"],
    ]);
    expect(filtersOf({ policy })).toEqual([]);
  });

  test("those with a time group act in its time, by the clock of the site", () => {
    const [filter] = filtersOf({ dns, policy });
    const at = (text: string) =>
      rulesAtTime(filter?.rules ?? [], policy, Date.parse(`2026-11-23T${text}Z`)).map(
        ({ id }) => id,
      );
    expect(at("03:59:59")).toEqual([2]);
    expect(at("04:00:00")).toEqual([1, 2]);
    expect(at("05:00:00")).toEqual([2]);
  });

  test("a host is in one of the classes, or in that of all others", () => {
    const sets = [{ id: 1, members: ["10.0.0.0/24", "fd57::/64"] }];
    const filters = (...nameRules: ReturnType<typeof deny>[]) =>
      filtersOf({ dns, policy: { sets, limits: [], nameRules } });
    const two = filters(deny(1, 1, { denies: false }), deny(2, null));
    const idsOf = (address: string) => filterOf(two, address)?.rules.map(({ id }) => id);
    expect(idsOf("10.0.0.7")).toEqual([1, 2]);
    expect(idsOf("fd57::9")).toEqual([1, 2]);
    expect(idsOf("10.0.1.0")).toEqual([2]);
    expect(filterOf(filters(deny(1, 1)), "10.0.1.0")).toBeNull();
  });

  test("a class keeps its port while others come and go, and no two have the same", () => {
    const sets = Array.from({ length: 16 }, (_, at) => ({ id: at + 1, members: [`10.0.0.${at}`] }));
    const portsOf = (...nameRules: ReturnType<typeof deny>[]) =>
      filtersOf({ dns, policy: { sets, limits: [], nameRules } }).map(({ port }) => port);
    const all = portsOf(...sets.map(({ id }) => deny(id, id)), deny(99, null));
    expect(new Set(all).size).toBe(17);
    for (const port of all) {
      expect(port).toBeGreaterThanOrEqual(filterPorts.first);
      expect(port).toBeLessThanOrEqual(filterPorts.last);
    }
    const [alone] = portsOf(deny(7, 7));
    expect(portsOf(deny(3, 3), deny(7, 7))).toContain(alone);
    expect(portsOf(deny(7, 7, { names: ["other.example"] }))).toEqual([alone]);
    expect(portsOf(deny(7, 8))).toEqual([alone]);
  });
});
