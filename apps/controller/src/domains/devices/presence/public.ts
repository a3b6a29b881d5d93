/** What the gateway keeps of devices with an open socket. */
export { addReplacement, noteReplacement, type Replacement } from "./clones.ts";
export {
  type Device,
  type Heartbeat,
  keepHeartbeats,
  keepIpv6,
  keepLeases,
  keepPins,
  keepRepairs,
  keepReport,
  keepStandby,
  knownReports,
  type OpenedSocket,
  type OpenSocket,
  openPresences,
  releaseReports,
  returnMs,
  type SentPin,
  type SentReport,
  writeSeen,
} from "./store.ts";
