export { listDeliveries, resend } from "./deliveries.ts";
export { createGuard, createReach, type Unreachable } from "./reach.ts";
export { hookBody, type Notice, render } from "./rendering.ts";
export {
  keepSecrets,
  openSecret,
  resealChannelSecrets,
  secretsOf,
} from "./secrets.ts";
