import { describe, expect, test } from "vitest";
import { type Chance, chanceOf } from "../../../../test/random-space.ts";
import { regionsIn, type Spot, stepsBetween } from "./nearness.ts";
import {
  type Choice,
  type Place,
  type PlacedPop,
  type PlacedSite,
  type PlaceView,
  placeSites,
  tiersOf,
} from "./place.ts";

const at = (longitude: number | null, latitude: number | null, regions = ""): Spot => ({
  longitude,
  latitude,
  regions: regionsIn(regions),
});
const shanghai = at(121.47, 31.23, "上海市");
const suzhou = at(120.58, 31.3, "江苏省,苏州市");
const beijing = at(116.4, 39.9, "北京市");
const nowhere = at(null, null);

const pop = (id: number, spot: Spot = nowhere, more: Partial<PlacedPop> = {}): PlacedPop => ({
  id,
  spot,
  bandwidth: null,
  isOpen: true,
  load: 0,
  ...more,
});
const site = (
  id: number,
  spot: Spot = nowhere,
  has: readonly (readonly [number, Place])[] = [],
  enterprise = 1,
): PlacedSite => ({ id, enterprise, spot, has: new Map(has) });
const chose = (...tiers: number[][]) => new Map<number, Choice>([[1, { strategy: "east", tiers }]]);
const placed = (
  sites: readonly PlacedSite[],
  pops: readonly PlacedPop[],
  choices: PlaceView["choices"] = new Map(),
) => {
  const found = placeSites({ sites, pops, choices });
  return Object.fromEntries([...found].map(([id, { places }]) => [id, [...places]]));
};

describe("how near a POP is", () => {
  test("is counted in steps of 100 km, by coordinates before regions", () => {
    expect(stepsBetween(suzhou, shanghai)).toBe(0);
    expect(stepsBetween(shanghai, beijing)).toBe(10);
    expect(stepsBetween(at(121.47, 31.23, "北京市"), beijing)).toBe(10);
    expect(stepsBetween(at(179.9, 0), at(-179.9, 0))).toBe(0);
  });

  test("follows from the smallest region in common where one has no coordinates", () => {
    const hangzhou = at(null, null, "浙江省,杭州市,西湖区");
    expect(stepsBetween(hangzhou, at(120, 30, "浙江,杭州"))).toBe(0);
    expect(stepsBetween(hangzhou, at(121, 29, "浙江省"))).toBe(3);
    expect(stepsBetween(hangzhou, at(121, 29, "江苏省"))).toBeNull();
    expect(stepsBetween(nowhere, shanghai)).toBeNull();
  });
});

describe("without a strategy", () => {
  test("a site prefers the nearest POP and is linked with all", () => {
    const pops = [pop(1, beijing), pop(2, shanghai)];
    expect(placed([site(9, suzhou), site(8, beijing)], pops)).toEqual({
      8: [
        [1, 0],
        [2, 1],
      ],
      9: [
        [2, 0],
        [1, 1],
      ],
    });
  });

  test("POPs of unknown distance share its traffic", () => {
    expect(placed([site(9, suzhou)], [pop(1), pop(2)])).toEqual({
      9: [
        [1, null],
        [2, null],
      ],
    });
  });

  test("of POPs equally near the least loaded comes first, for its bandwidth where all state it", () => {
    const pops = [pop(1, shanghai, { load: 3 }), pop(2, shanghai, { load: 2 })];
    expect(placed([site(9, suzhou)], pops)[9]?.[0]).toEqual([2, 0]);
    const rated = [
      pop(1, shanghai, { load: 3, bandwidth: 1_000_000 }),
      pop(2, shanghai, { load: 2, bandwidth: 100_000 }),
    ];
    expect(placed([site(9, suzhou)], rated)[9]?.[0]).toEqual([1, 0]);
  });

  test("new sites spread over POPs equally near", () => {
    const sites = Array.from({ length: 10 }, (_, index) => site(index + 10, suzhou));
    const found = placed(sites, [pop(1, shanghai), pop(2, shanghai)]);
    const firsts = Object.values(found).map(([first]) => first?.[0]);
    expect(firsts.filter((id) => id === 1)).toHaveLength(5);
  });

  test("a new POP that is equally near moves no site, and one that is nearer does", () => {
    const has = [[1, null]] as const;
    expect(placed([site(9, suzhou, has)], [pop(1, shanghai), pop(2, shanghai)])[9]?.[0]).toEqual([
      1, 0,
    ]);
    expect(placed([site(9, suzhou, has)], [pop(1, beijing), pop(2, shanghai)])[9]?.[0]).toEqual([
      2, 0,
    ]);
  });

  test("the only POP has no place of its own", () => {
    expect(placed([site(9, suzhou)], [pop(1, beijing)])).toEqual({ 9: [[1, null]] });
  });
});

describe("with a strategy", () => {
  test("a site is linked with its POPs only, in its order, wherever they are", () => {
    const pops = [pop(1, shanghai), pop(2, beijing), pop(3, shanghai)];
    expect(placed([site(9, suzhou)], pops, chose([2], [1]))).toEqual({
      9: [
        [2, 0],
        [1, 1],
      ],
    });
  });

  test("of POPs of one group the nearest comes first", () => {
    const pops = [pop(1, beijing), pop(2, beijing), pop(3, shanghai)];
    const [order] = [placed([site(9, suzhou)], pops, chose([2, 3], [1]))[9]];
    expect(order?.map(([id]) => id)).toEqual([3, 2, 1]);
  });

  test("does not concern sites of another enterprise", () => {
    const sites = [site(9, suzhou), site(8, suzhou, [], 2)];
    const found = placed(sites, [pop(1, shanghai), pop(2, beijing)], chose([2]));
    expect(found).toEqual({
      8: [
        [1, 0],
        [2, 1],
      ],
      9: [[2, null]],
    });
  });

  test("that names no POP of the space leaves none", () => {
    expect(placed([site(9)], [pop(1)], chose([7]))).toEqual({ 9: [] });
    expect(placed([site(9)], [pop(1)], chose())).toEqual({ 9: [] });
  });
});

test("a POP that takes no new links keeps those that it has", () => {
  const pops = [pop(1, shanghai, { isOpen: false }), pop(2, beijing)];
  const sites = [site(9, suzhou, [[1, 0]]), site(8, suzhou)];
  const found = placeSites({ sites, pops, choices: new Map() });
  expect([...(found.get(9)?.places.keys() ?? [])]).toEqual([1, 2]);
  expect(found.get(8)).toEqual({ places: new Map([[2, null]]), closed: [1] });
});

describe("tiers of a strategy", () => {
  test("follow its list; a group has the place where the list names the first of it", () => {
    expect(tiersOf([1, 2, 3], [], [])).toEqual([[1], [2], [3]]);
    expect(tiersOf([1, 2, 3], [[3, 2]], [])).toEqual([[1], [2, 3]]);
    expect(tiersOf([1], [[4, 5]], [])).toEqual([[1], [4, 5]]);
    expect(tiersOf([1, 4], [[4, 5], [5]], [])).toEqual([[1], [4, 5]]);
  });

  test("are narrowed to what an enterprise uses of it", () => {
    expect(tiersOf([1, 2, 3], [[3, 2]], [2])).toEqual([[2]]);
    expect(tiersOf([], [], [2])).toEqual([]);
  });
});

describe("for any space", () => {
  const runs = Array.from({ length: 400 }, (_, seed) => seed + 1);
  const spots = [shanghai, suzhou, beijing, nowhere, at(null, null, "上海")];
  const spotOf = (chance: Chance): Spot => spots[chance.below(spots.length)] ?? nowhere;
  const viewOf = (chance: Chance): PlaceView => {
    const pops = Array.from({ length: chance.below(5) }, (_, index) =>
      pop(index + 1, spotOf(chance), {
        isOpen: chance.below(5) > 0,
        load: chance.below(4),
        bandwidth: chance.may() ? 1_000 * (chance.below(4) + 1) : null,
      }),
    );
    const ids = pops.map(({ id }) => id);
    const some = () => chance.shuffled(ids).slice(0, chance.below(ids.length + 1));
    const sites = Array.from({ length: chance.below(8) }, (_, index) =>
      site(
        index + 100,
        spotOf(chance),
        some().map((id, place) => [id, chance.may() ? place : null] as const),
        chance.below(3),
      ),
    );
    const tiers = tiersOf(some(), [some()], chance.may() ? some() : []);
    return { pops, sites, choices: new Map([[1, { strategy: "east", tiers }]]) };
  };
  const byId = ([one]: readonly [number, unknown], [other]: readonly [number, unknown]) =>
    one - other;
  const text = (found: ReturnType<typeof placeSites>) =>
    [...found].sort(byId).map(([id, { places }]) => [id, [...places].sort(byId)]);

  test("a placed site stays where it is when placement runs again", () => {
    for (const seed of runs) {
      const view = viewOf(chanceOf(seed));
      const first = placeSites(view);
      const sites = view.sites.map((one) => ({
        ...one,
        has: first.get(one.id)?.places ?? one.has,
      }));
      expect(text(placeSites({ ...view, sites })), `seed ${seed}`).toEqual(text(first));
    }
  });

  test("the order of rows does not matter", () => {
    for (const seed of runs) {
      const chance = chanceOf(seed);
      const view = viewOf(chance);
      const other = {
        ...view,
        sites: chance.shuffled(view.sites),
        pops: chance.shuffled(view.pops),
      };
      expect(text(placeSites(other)), `seed ${seed}`).toEqual(text(placeSites(view)));
    }
  });

  test("no site is placed at a POP outside its strategy or one that takes no new links", () => {
    for (const seed of runs) {
      const view = viewOf(chanceOf(seed));
      const found = placeSites(view);
      for (const { id, enterprise, has } of view.sites) {
        const named = view.choices.get(enterprise)?.tiers.flat();
        const { places, closed } = found.get(id) ?? { places: new Map(), closed: [] };
        const allowed = view.pops.filter((one) => !named || named.includes(one.id));
        const taking = allowed.filter((one) => one.isOpen || has.has(one.id));
        const ids = taking.map((one) => one.id).sort();
        expect([...places.keys()].sort(), `seed ${seed}`).toEqual(ids);
        expect([...closed].sort(), `seed ${seed}`).toEqual(
          allowed.filter((one) => !taking.includes(one)).map((one) => one.id),
        );
        const numbers = [...places.values()].filter((place) => place !== null);
        expect(numbers, `seed ${seed}`).toEqual(numbers.map((_, index) => index));
      }
    }
  });
});
