/**
 * Device protocol v1: JSON messages between edge and controller over one WebSocket (`/edge/v1`),
 * plus two plain calls (`enrol`, `confirm`). Frozen on first release: afterwards only optional
 * additions; anything else is `v2` beside it. docs/protocol.md describes the conversation.
 */
import { z } from "zod";
import { command, commandAnswer } from "#contract/device/v1/commands.ts";
import { sectionDelta } from "#contract/device/v1/delta.ts";
import { findings } from "#contract/device/v1/findings.ts";
import { flows, flowsAck } from "#contract/device/v1/flow-records.ts";
import { leases } from "#contract/device/v1/leases.ts";
import {
  reportedCount,
  reportedInstant,
  reportedMs,
  reportedPercent,
  reportedRate,
} from "#contract/device/v1/numbers.ts";
import { moves, paths } from "#contract/device/v1/paths.ts";
import { standbyReport } from "#contract/device/v1/standby.ts";
import { stateHead, stateId, stateRevision } from "#contract/device/v1/state.ts";
import { sha256Hex, tunnelKey } from "#contract/device/v1/text.ts";
import { ipv6Report } from "#contract/device/v1/wan-ipv6.ts";

export const protocolVersion = 1;
export const socketPath = "/edge/v1";
export const enrolPath = "/edge/v1/enrol";
export const confirmPath = "/edge/v1/confirm";

/** Largest message in bytes that a controller reads, and that an edge reads. */
export const maxBytes = { fromEdge: 1_048_576, fromController: 8_388_608 } as const;
/** Bytes of a section as JSON: it travels in one message, with room for the frame. */
export const maxSectionBytes = maxBytes.fromController - 65_536;
/** Seconds between heartbeats; a device is offline after three missed ones. */
export const heartbeatSeconds = 15;
/** Seconds that one message of metrics covers. */
export const metricsSeconds = 15;
/** Ms from the end of an apply to the revert of a state that was not confirmed. */
export const confirmDeadlineMs = 60_000;
/** Ms more, once, when a controller says, signed, that it cannot decide now. */
export const anchorExtraMs = 60_000;

/** Raw 32 bytes of an Ed25519 public key, base64url without padding. */
const identityKey = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
const nonce = z.string().regex(/^[A-Za-z0-9_-]{22,64}$/);
const signature = z.string().regex(/^[A-Za-z0-9_-]{86}$/);
const reason = z.string().max(1_024);
const nodeId = z.int().positive();

export const enrolRequest = z.strictObject({
  token: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  serialNumber: z.string().min(4).max(64),
  publicKey: identityKey,
  nonce,
  /** over enrolProof. */
  signature,
});
export const enrolAnswer = z.strictObject({
  state: z.enum(["pending", "approved"]),
  /** Present once approved. */
  node: nodeId.nullable(),
  controllerKey: identityKey,
  /** over enrolledProof. */
  signature,
});

/** Why a device is rejected. The text beside it is for the log of the device. */
export const refusals = [
  "badMessage",
  "badSignature",
  "unknownNode",
  "notApproved",
  "disabled",
  "replaced",
  "quarantined",
  "tooMany",
  "claimUnknown",
  "claimExpired",
  "claimUsed",
  "claimOtherSerial",
  "rejected",
  /** The node was removed: the device restores its machine and needs a new activation code. */
  "removed",
  "protocol",
  "notYours",
  "busy",
] as const;
export type Refusal = (typeof refusals)[number];
export const refused = z.strictObject({
  type: z.literal("refused"),
  reason: z.enum(refusals),
  text: z.string().max(256),
  /** Ms that the device waits before it tries again; absent: its own back-off. */
  retryAfterMs: z.int().min(0).optional(),
});

/** The digest says which revision of the state it is. */
const runningState = stateId.omit({ revision: true }).extend({ digest: sha256Hex }).nullable();

const hello = z.strictObject({
  type: z.literal("hello"),
  protocol: z.int(),
  node: nodeId,
  publicKey: identityKey,
  nonce,
  /** over helloProof. */
  signature,
});

const lineReport = z.strictObject({
  interfaceName: z.string().max(15),
  addressing: z.enum(["static", "dhcp"]).nullable(),
  /** address/length that the interface has; null: none. */
  address: z.string().max(64).nullable(),
  up: z.boolean(),
});

/** Sent after the welcome and whenever something in it changed. */
const report = z.strictObject({
  type: z.literal("report"),
  version: z.string().max(64),
  serialNumber: z.string().max(64),
  capabilities: z
    .array(
      z.strictObject({ name: z.string().max(64), can: z.boolean(), reason: reason.nullable() }),
    )
    .max(200),
  /** WireGuard public keys made on the device; the first is the one in use. */
  tunnelKeys: z
    .array(z.strictObject({ id: z.string().max(32), publicKey: tunnelKey }))
    .min(1)
    .max(4),
  running: runningState,
  lines: z.array(lineReport).max(32),
});

const need = z.strictObject({
  type: z.literal("need"),
  ...stateId.shape,
  /** Hashes of the sections that the device has not got. */
  sections: z.array(sha256Hex).max(100_000),
  /**
   * By the hash of one of them the hash of a section that the device has: the answer may be a delta to that one. Only to
   * a controller that reads it (additions.ts).
   */
  bases: z.record(sha256Hex, sha256Hex).optional(),
});

/** What became of a state. `reverted` is reported after contact returned. */
const outcome = z.strictObject({
  type: z.literal("outcome"),
  ...stateId.shape,
  outcome: z.enum(["applied", "refused", "failed", "reverted"]),
  reason: reason.nullable(),
  /** Only with reverted: no commit confirmation from the controller; one retry is allowed for it. */
  unreachable: z.boolean().optional(),
  /** Only with reverted: the edge itself was stopped in the middle; one early retry is allowed. */
  stopped: z.boolean().optional(),
  /**
   * Only with applied: what of the state does not act on this device; absent: everything does. Reported
   * again for the state that runs when it changes, an empty list included.
   */
  findings: findings.optional(),
});

const heartbeat = z.strictObject({
  type: z.literal("heartbeat"),
  running: runningState,
  /** Steps from running to observed state and the hash of that plan; null: not measured yet. */
  drift: z
    .strictObject({
      steps: reportedCount,
      hash: sha256Hex,
      /** The first steps of that plan, as people read them; absent: there are none, or not reported. */
      plan: z.array(z.string().max(200)).max(50).optional(),
    })
    .nullable(),
});

const measures = z.strictObject({
  type: z.literal("measures"),
  /**
   * Ms for which the controller takes these as measured again, until a message names the link otherwise or the
   * connection ends: what is unchanged need not be sent. Absent: they count once.
   */
  standMs: z.int().min(1).max(60_000).optional(),
  links: z
    .array(
      z.strictObject({
        id: z.int().positive(),
        up: z.boolean(),
        rttMs: reportedMs,
        jitterMs: reportedMs,
        lossPercent: reportedPercent,
        /** Since the last message. */
        inRate: reportedRate,
        outRate: reportedRate,
      }),
    )
    .max(20_000),
});

/**
 * Links that this end probes and that went up or down: sent immediately, so that a fall is seen within
 * two seconds. Metrics follow in `measures`; lines are reported by `report`.
 */
const transition = z.strictObject({
  type: z.literal("transition"),
  links: z
    .array(z.strictObject({ id: z.int().positive(), up: z.boolean() }))
    .min(1)
    .max(5_000),
});

/** Repairs in one message; a device that has more leaves out the oldest. */
export const maxRepairs = 50;
/** Parts of a device whose programs it starts again; controllers show others as they come. */
export const repairedParts = ["routing", "tunnel", "client", "dhcp", "dns", "standby"] as const;

/**
 * Programs that died by themselves and that the device has started again, oldest first. Sent again until a
 * ping after it was answered: the controller may count one twice, and misses none.
 */
const repairs = z.strictObject({
  type: z.literal("repairs"),
  items: z
    .array(
      z.strictObject({
        part: z.string().regex(/^[a-z][a-z0-9]{0,15}$/),
        /** The program or interface: `bgpd`, `wl3`, `wan2`. */
        object: z.string().regex(/^[\w.-]{1,31}$/),
      }),
    )
    .min(1)
    .max(maxRepairs),
});

/**
 * The key that the device accepts from its controller besides the one of this connection, durable on its
 * disk; null: none. Once on each connection, and after each `nextKey`.
 */
const pins = z.strictObject({ type: z.literal("pins"), next: identityKey.nullable() });

/** Objects in one message of metrics; the others come with the next. */
export const maxHits = 5_000;

/**
 * Metrics of the last 15 s, kept for charts. A device sends one at a time, oldest first, and holds it
 * until `metricsAck` names it: the controller may meet the same one twice and stores it once.
 */
const metrics = z.strictObject({
  type: z.literal("metrics"),
  /** New at each start of the edge; numbers count up from 1 within it. */
  boot: nonce,
  sequence: reportedCount.min(1),
  /** End of the metrics, and now. Their distance is believed. */
  at: reportedInstant,
  sentAt: reportedInstant,
  /** Messages that the device had to drop since its start, oldest first: its spool was full. */
  dropped: reportedCount,
  /** Rates in bit/s: in is towards the device. */
  lines: z
    .array(
      z.strictObject({
        interfaceName: z.string().max(15),
        inRate: reportedRate,
        outRate: reportedRate,
      }),
    )
    .max(32),
  /** Links that this end probes. */
  links: z
    .array(
      z.strictObject({
        id: z.int().positive(),
        rttMs: reportedMs,
        jitterMs: reportedMs,
        lossPercent: reportedPercent,
        inRate: reportedRate,
        outRate: reportedRate,
      }),
    )
    .max(5_000),
  cpuPercent: reportedPercent,
  memoryPercent: reportedPercent,
  /**
   * How often rules of objects fitted since they were last reported, objects without hits left out: of a rule
   * that lets through or refuses new flows flows are counted, of one that denies packets.
   */
  hits: z
    .array(
      z.strictObject({
        family: z.string().regex(/^[A-Za-z]{1,32}$/),
        id: z.int().positive(),
        /** Of packets that were denied while no controller could be reached there may be very many. */
        count: z.int().positive(),
      }),
    )
    .max(maxHits)
    .optional(),
});

/** Body of POST /edge/v1/confirm, and of `confirm` on the socket for light plans. */
export const confirmRequest = z.strictObject({
  node: nodeId,
  ...stateId.shape,
  digest: sha256Hex,
  nonce,
  /** over confirmProof. */
  signature,
});
export const confirmAnswer = z.strictObject({
  ...stateId.shape,
  nonce,
  /** over confirmedProof, by the controller. */
  signature,
});

/**
 * Answer of POST /edge/v1/confirm by a controller that was reached but cannot reach its own database:
 * an anchor of the device. It proves that the state did not cut off the device.
 */
export const confirmUnable = z.strictObject({
  type: z.literal("unable"),
  ...stateId.shape,
  nonce,
  /** over unableProof, by the controller. */
  signature,
});

export const fromEdge = z.discriminatedUnion("type", [
  hello,
  report,
  need,
  outcome,
  heartbeat,
  measures,
  transition,
  repairs,
  leases,
  paths,
  moves,
  standbyReport,
  ipv6Report,
  pins,
  metrics,
  flows,
  commandAnswer,
  confirmRequest.extend({ type: z.literal("confirm") }),
]);
export type FromEdge = z.output<typeof fromEdge>;

const challenge = z.strictObject({
  type: z.literal("challenge"),
  protocols: z.array(z.int()),
  nonce,
});

const welcome = z.strictObject({
  type: z.literal("welcome"),
  /** over welcomeProof. */
  signature,
  /** Of this controller. Grows with each restore; a device never returns to an earlier one. */
  epoch: z.int().positive(),
  heartbeatSeconds: z.int().positive(),
});

const head = z.strictObject({ type: z.literal("head"), head: stateHead });

/** Later lists of networks for the state that the device runs. Only to an edge with the capability for it. */
const revision = stateRevision.extend({ type: z.literal("revision") });

/** Contents by hash; several messages when they are large. */
const sections = z.strictObject({
  type: z.literal("sections"),
  ...stateId.shape,
  contents: z.record(sha256Hex, z.unknown()),
  /** Likewise, of those for which `need` named a base; absent: none. */
  deltas: z.record(sha256Hex, sectionDelta).optional(),
});

/** The message is durable in the store. */
const metricsAck = z.strictObject({
  type: z.literal("metricsAck"),
  boot: nonce,
  sequence: z.int().positive(),
});

/**
 * Fields that the controller reads beside those of the protocol's first version (additions.ts). Only
 * to an edge with the capability for it: an earlier one would not know the message.
 */
const accepts = z.strictObject({
  type: z.literal("accepts"),
  names: z.array(z.string().max(64)).max(100),
});

/**
 * The key that this controller will change to: the device accepts it besides the one of this connection
 * from now on. Only to an edge with the capability for it.
 */
const nextKey = z.strictObject({
  type: z.literal("nextKey"),
  /** Null: no change is prepared (any more), and the device forgets a second key. */
  next: z
    .strictObject({
      key: identityKey,
      /** over heldKeyProof, by that key itself: this controller holds it. */
      signature,
    })
    .nullable(),
  /** over nextKeyProof, by the key of this connection. */
  signature,
});

export const fromController = z.discriminatedUnion("type", [
  challenge,
  welcome,
  refused,
  head,
  revision,
  sections,
  metricsAck,
  flowsAck,
  accepts,
  nextKey,
  command,
  confirmAnswer.extend({ type: z.literal("confirmed") }),
]);
export type FromController = z.output<typeof fromController>;
export type MessageFromEdge<Type extends FromEdge["type"]> = Extract<FromEdge, { type: Type }>;
export type MessageFromController<Type extends FromController["type"]> = Extract<
  FromController,
  { type: Type }
>;
