/** Records of the flows of a site's hosts, while its audit log is on (docs/protocol.md, flows). */
import { z } from "zod";
import { reportedCount } from "#contract/device/v1/numbers.ts";
import { ipAddress } from "#rules/address.ts";

/** An edge with this capability reads `system.flowRecords`, and reports the flows that its connection tracking followed. */
export const flowRecordsCapability = "log.flows";

/** Records in one message; the others come with the next. */
export const maxFlowRecords = 2_000;
/** Ms that a record is old at most, and that its flow lasted: a device drops what is older, and cuts what is longer. */
export const maxFlowMs = 30 * 86_400_000;
/** Bytes of one flow in one direction, at most. */
export const maxFlowBytes = Number.MAX_SAFE_INTEGER;

const port = z.int().min(0).max(65_535);
const ms = z.int().min(0).max(maxFlowMs);
const bytes = z.int().min(0).max(maxFlowBytes);

export const flowRecord = z.strictObject({
  /** Ms before the message was sent at which it ended, or was cut because it goes on for long. */
  ago: ms,
  /** Since it began, or was last cut. */
  durationMs: ms,
  /** The end that opened it, and the one that answers, behind all translations. Ports are 0 where the protocol has none. */
  source: ipAddress,
  sourcePort: port,
  destination: ipAddress,
  destinationPort: port,
  /** IANA protocol number. */
  protocol: z.int().min(0).max(255),
  /** Towards the source, and away from it. */
  inBytes: bytes,
  outBytes: bytes,
});
export type FlowRecord = z.output<typeof flowRecord>;

/** New at each start of the edge; numbers count up from 1 within it. */
const boot = z.string().regex(/^[A-Za-z0-9_-]{22,64}$/);

/**
 * Flows that ended, oldest first. A device sends one message at a time and sends it again until `flowsAck` names it: the
 * controller may meet it twice.
 */
export const flows = z.strictObject({
  type: z.literal("flows"),
  boot,
  sequence: reportedCount.min(1),
  /** Records that the device had to drop since its start, oldest first. */
  dropped: reportedCount,
  items: z.array(flowRecord).min(1).max(maxFlowRecords),
});

/** The message is durable in the store. */
export const flowsAck = z.strictObject({
  type: z.literal("flowsAck"),
  boot,
  sequence: z.int().positive(),
});
