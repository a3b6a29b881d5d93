/** What compile uses of segment routes. */
export {
  type PlacedSegment,
  placeSegments,
  reachOf,
  sourcesOf,
} from "./placement.ts";
export { readSegments } from "./stored.ts";
