/** What the gateway uses: which state a device gets next, and what becomes of it. */
export { type ConfirmRequest, keepConfirmed, NotConfirmable } from "./confirm.ts";
export {
  type DeliveryTimes,
  type DeviceView,
  keepOutcome,
  readSections,
  takeNext,
} from "./delivery.ts";
