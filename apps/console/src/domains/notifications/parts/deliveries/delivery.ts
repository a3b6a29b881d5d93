import type { messageReceiveDeliveries } from "@weft/contract/domains/notifications/message-receive.ts";
import type { webhookDeliveries } from "@weft/contract/domains/notifications/webhook.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";

/** Calls that list deliveries: of a recipient, and of a webhook. */
export type DeliveryCalls = typeof messageReceiveDeliveries | typeof webhookDeliveries;
export type Delivery = OutputOf<DeliveryCalls>[number];
