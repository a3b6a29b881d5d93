/** What compile uses of segment routes. */
export {
  isInside,
  overlap,
  type PlacedSegment,
  placeSegments,
  reachOf,
  sourcesOf,
} from "./placement.ts";
export { readSegments } from "./stored.ts";
