/** Resources and calls of this domain, for the lists of all. */

import type { SamplesOf } from "#contract/samples/sample.ts";
import { branch, branchSamples } from "./branch.ts";
import * as cpe from "./cpe.ts";
import * as cpeActions from "./cpe-actions.ts";
import * as cpeArea from "./cpe-area.ts";
import * as cpeBatch from "./cpe-batch.ts";
import * as cpeConfig from "./cpe-config.ts";
import * as cpeStandby from "./cpe-standby.ts";
import * as dhcpReservation from "./dhcp-reservation.ts";
import * as dialTask from "./dial-task.ts";
import * as dnsEntry from "./dns-entry.ts";
import * as enrolment from "./enrolment.ts";
import * as firmwareTask from "./firmware-task.ts";
import * as health from "./health.ts";
import * as hostLease from "./host-lease.ts";
import * as lanSection from "./lan-section.ts";
import { line, lineSamples } from "./line.ts";
import * as pop from "./pop.ts";
import * as relay from "./relay.ts";
import { staticRoute, staticRouteSamples } from "./static-route.ts";

export const resources = {
  pop: pop.pop,
  cpe: cpe.cpe,
  branch,
  line,
  lansection: lanSection.lanSection,
  staticroute: staticRoute,
  dnsmasq: dnsEntry.dnsEntry,
  dhcpReservation: dhcpReservation.dhcpReservation,
  dialTask: dialTask.dialTask,
  firmwareTask: firmwareTask.firmwareTask,
} as const;

export const calls: readonly object[] = [
  enrolment,
  health,
  pop,
  cpe,
  lanSection,
  cpeBatch,
  cpeActions,
  cpeStandby,
  cpeConfig,
  hostLease,
  relay,
  dnsEntry,
  cpeArea,
  dialTask,
  firmwareTask,
];

/** Drafts of each resource: one without does not compile. */
export const samples: SamplesOf<typeof resources> = {
  pop: pop.popSamples,
  cpe: cpe.cpeSamples,
  branch: branchSamples,
  line: lineSamples,
  lansection: lanSection.lanSectionSamples,
  staticroute: staticRouteSamples,
  dnsmasq: dnsEntry.dnsEntrySamples,
  dhcpReservation: dhcpReservation.dhcpReservationSamples,
  dialTask: dialTask.dialTaskSamples,
  firmwareTask: firmwareTask.firmwareTaskSamples,
};
