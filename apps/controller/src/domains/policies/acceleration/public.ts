/** What delivery uses of acceleration. */
export {
  type AcceleratedSite,
  accelerationFindings,
  addressesOf,
  isLed,
  learnsNames,
  namesOf,
  placeAccelerations,
} from "./placement.ts";
export {
  notifyAccelerated,
  ownersOf,
  readAccelerations,
  type StoredAcceleration,
} from "./stored.ts";
