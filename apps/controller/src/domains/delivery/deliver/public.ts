/** What the gateway uses: which state a device gets next, and what becomes of it. */
export {
  type BoxView,
  type DeliveryTimes,
  keepOutcome,
  readSections,
  takeNext,
} from "./delivery.ts";
