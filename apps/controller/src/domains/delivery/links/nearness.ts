/** How near a site and a POP are. Pure. */

export interface Spot {
  /** Degrees; null: not known. */
  readonly longitude: number | null;
  readonly latitude: number | null;
  /** Names of the places that it is in, the largest first: province, city, district. */
  readonly regions: readonly string[];
}

const earthKm = 6_371;
/** Light in fibre needs about a millisecond there and back: below it, distance decides nothing. */
const stepKm = 100;
/** What a region in common stands for where coordinates lack, km, by how many of its parts are known. */
const regionKm = [300, 50, 10] as const;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Kilometres along a great circle. */
function distanceKm(
  [longitude, latitude]: readonly [number, number],
  [otherLongitude, otherLatitude]: readonly [number, number],
): number {
  const [from, to] = [radians(latitude), radians(otherLatitude)];
  const half =
    Math.sin((to - from) / 2) ** 2 +
    Math.cos(from) * Math.cos(to) * Math.sin(radians(otherLongitude - longitude) / 2) ** 2;
  return 2 * earthKm * Math.asin(Math.min(1, Math.sqrt(half)));
}

const coordinatesOf = ({ longitude, latitude }: Spot): readonly [number, number] | null =>
  longitude === null || latitude === null ? null : [longitude, latitude];

/** 上海 and 上海市 are one place. */
const bare = (name: string): string => name.trim().replace(/(特别行政区|自治区|省|市|区|县)$/, "");

/** The names in a text of regions: 浙江省,杭州市 or 浙江省/杭州市. */
export const regionsIn = (text: string): string[] =>
  text
    .split(/[\s,，、/]+/)
    .map(bare)
    .filter((name) => name !== "");

function sharedRegionKm(site: Spot, pop: Spot): number | null {
  const there = new Set(pop.regions.map(bare));
  const deepest = site.regions.findLastIndex((name) => there.has(bare(name)));
  return regionKm[Math.min(deepest, regionKm.length - 1)] ?? null;
}

/**
 * In steps of 100 km, 0 the nearest; null: nothing says how far it is. By coordinates, and by the
 * smallest region in common where one of the two has none.
 */
export function stepsBetween(site: Spot, pop: Spot): number | null {
  const [from, to] = [coordinatesOf(site), coordinatesOf(pop)];
  const km = from && to ? distanceKm(from, to) : sharedRegionKm(site, pop);
  return km === null ? null : Math.floor(km / stepKm);
}
