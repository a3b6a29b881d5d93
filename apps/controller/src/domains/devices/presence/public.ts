/** What the gateway keeps of devices with an open socket. */
export { addReplacement, isClone, noteReplacement, type Replacement } from "./clones.ts";
export {
  type Device,
  keepHeartbeat,
  keepPin,
  keepRepairs,
  keepReport,
  type OpenSocket,
  openPresence,
  writeSeen,
} from "./store.ts";
