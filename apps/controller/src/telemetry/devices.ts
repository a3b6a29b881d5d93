import { X509Certificate } from "node:crypto";
import { fromEdge, refusals } from "@weft/contract/device/v1/messages.ts";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import {
  certificateServed,
  deviceMessageTaken,
  deviceRefused,
  socketsChanged,
  stateConfirmed,
} from "./events.ts";

const messageTypes = fromEdge.options.map(({ shape }) => shape.type.value);
/** What a device reports of a state (device/v1/messages.ts). */
const outcomes = ["applied", "refused", "failed", "reverted"] as const;

/** The gateway of this process. @returns ends it */
export function measureDevices(registry: Registry): () => void {
  const registers = [registry];
  const sockets = new Gauge({
    name: "weft_gateway_sockets",
    help: "Open sockets of devices in this process: connected (the device proved its key) or unproven.",
    labelNames: ["state"],
    registers,
  });
  const messages = new Counter({
    name: "weft_gateway_messages_total",
    help: "Valid messages of devices, by type of the device protocol.",
    labelNames: ["type"],
    registers,
  });
  const refused = new Counter({
    name: "weft_gateway_refusals_total",
    help: "Sockets that were refused, by reason of the device protocol.",
    labelNames: ["reason"],
    registers,
  });
  const states = new Counter({
    name: "weft_gateway_state_outcomes_total",
    help: "Outcomes of desired states that devices reported.",
    labelNames: ["outcome"],
    registers,
  });
  const confirmed = new Histogram({
    name: "weft_gateway_state_confirmation_seconds",
    help: "Time from sending a desired state to a device until the device confirmed that it runs it.",
    buckets: [0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers,
  });
  const expiry = new Gauge({
    name: "weft_certificate_expiry_timestamp_seconds",
    help: "When the certificate of a listener ends, as Unix time; devices compare its key and not its end.",
    labelNames: ["listener"],
    registers,
  });
  for (const state of ["connected", "unproven"]) sockets.set({ state }, 0);
  for (const type of messageTypes) messages.inc({ type }, 0);
  for (const reason of refusals) refused.inc({ reason }, 0);
  for (const outcome of outcomes) states.inc({ outcome }, 0);
  const ends = [
    socketsChanged.listen(({ devices, unproven }) => {
      sockets.set({ state: "connected" }, devices);
      sockets.set({ state: "unproven" }, unproven);
    }),
    deviceMessageTaken.listen(({ message }) => {
      messages.inc({ type: message.type });
      if (message.type === "outcome") states.inc({ outcome: message.outcome });
    }),
    stateConfirmed.listen(({ seconds }) => confirmed.observe(seconds)),
    deviceRefused.listen(({ reason }) => refused.inc({ reason })),
    certificateServed.listen(({ pem }) => {
      const { validTo } = new X509Certificate(pem);
      expiry.set({ listener: "edge" }, Date.parse(validTo) / 1_000);
    }),
  ];
  return () => {
    for (const end of ends) end();
  };
}
