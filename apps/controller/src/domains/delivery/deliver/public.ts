/** What the gateway uses: which state a device gets next, and what becomes of it. */
export { type ConfirmRequest, NotConfirmable } from "./confirm.ts";
export {
  type DeliveryTimes,
  type DeviceView,
  readSections,
  type Section,
  type SectionRequest,
} from "./delivery.ts";
export { type DeliveryAnswer, type DeliveryRequest, keepDeliveries } from "./requests.ts";
export { removeOldRevisions } from "./revisions.ts";
export { SharedTexts } from "./shared-texts.ts";
