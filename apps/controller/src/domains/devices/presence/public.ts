/** What the gateway keeps of devices with an open socket. */
export { addReplacement, isClone, noteReplacement, type Replacement } from "./clones.ts";
export {
  type Device,
  type Heartbeat,
  keepHeartbeats,
  keepIpv6,
  keepLeases,
  keepPin,
  keepRepairs,
  keepReport,
  keepStandby,
  type OpenSocket,
  openPresence,
  releaseReports,
  writeSeen,
} from "./store.ts";
