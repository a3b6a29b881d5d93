/** What delivery uses of acceleration. */
export {
  type AcceleratedSite,
  accelerationFindings,
  isLed,
  placeAccelerations,
} from "./placement.ts";
export {
  notifyAccelerated,
  ownersOf,
  readAccelerations,
  type StoredAcceleration,
} from "./stored.ts";
