/** Whether the installation itself works: its processes, queues, stores and keys, in one call. */
import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { endpoint, readsMetrics } from "#kernel/endpoint.ts";

/** What a part of the installation is found to be. Unknown is never better than a problem that is known not to be. */
export const partStates = ["ok", "warn", "bad", "unknown"] as const;
export type PartState = (typeof partStates)[number];

export const processRoles = ["api", "gateway", "worker"] as const;

/** Work that waits in the database -> seconds after which the oldest waits too long; null: devices may be offline. */
export const queueLimits = {
  changes: 120,
  compile: 120,
  audit: 120,
  outbox: 900,
  batches: null,
  commands: null,
} as const;
export const queueNames = Object.keys(queueLimits) as readonly QueueName[];
export type QueueName = keyof typeof queueLimits;

/** Seconds without a sign of life after which a process counts as lost; it gives one every 15. */
export const processLostSeconds = 45;
/** Seconds since the newest sample of connected devices, which send every 15. */
export const ingestionLimits = { warn: 90, bad: 300 } as const;
/** Parts of a disk that are free. */
export const freeLimits = { warn: 0.15, bad: 0.05 } as const;
/** Days before its end at which a certificate or a key ends soon. */
export const expiryDays = 14;
/** Days after which the last backup is old. */
export const backupDays = 2;

/** The worst of them; of none it is unknown. Pure. */
export const worstOf = (states: readonly PartState[]): PartState =>
  (["bad", "warn", "unknown", "ok"] as const).find((state) => states.includes(state)) ?? "unknown";

const state = z.enum(partStates);
const amount = z.number().nullable();
const moment = codec.instant.nullable();

/** A part of a process, as /readyz shows it. */
export const processCheck = z.object({
  name: z.string(),
  state: z.enum(["ready", "not ready", "no answer"]),
});

export const installationStatus = readsMetrics(
  endpoint({
    id: "installation.status",
    addition:
      "operators of an installation see whether it works; the specification has no call for it",
    method: "GET",
    path: "/customer/installation/status",
    input: z.object({}),
    output: z.object({
      /** The worst of all below. */
      state,
      processes: z.array(
        z.object({
          state,
          host: z.string(),
          /** Of console and API; a process without them answers its health there. */
          port: z.number(),
          pid: z.number(),
          roles: z.array(z.enum(processRoles)),
          version: z.string(),
          nodeVersion: z.string(),
          startedAt: codec.instant,
          seenAt: codec.instant,
          /** Those that are not ready. */
          failing: z.array(processCheck),
          /** Devices that are connected to its gateway; null: it runs none. */
          devices: amount,
          /** Of the disk of its data folder, in bytes. */
          freeBytes: amount,
          totalBytes: amount,
          /** Its event loop was late by this much, in ms, in one of a hundred cases. */
          loopDelayMs: amount,
        }),
      ),
      /** Roles that no process runs. */
      missingRoles: z.array(z.enum(processRoles)),
      queues: z.array(
        z.object({
          state,
          queue: z.enum(queueNames as [QueueName, ...QueueName[]]),
          depth: amount,
          /** Age of the oldest; null: there is none, or it is not known. */
          oldestSeconds: amount,
        }),
      ),
      /** Metrics of devices on their way to the metrics store. */
      ingestion: z.object({
        state,
        /** Devices that are connected to gateways. */
        devices: amount,
        /** When the newest sample was measured. */
        newestAt: moment,
        waitingRows: amount,
        oldestSeconds: amount,
        /** Messages that found no room or could not be stored, since the gateways started. */
        refused: amount,
      }),
      stores: z.array(
        z.object({
          state,
          store: z.enum(["postgresql", "clickhouse"]),
          version: z.string().nullable(),
          bytes: amount,
          /** Of its disk; null: it does not report it. */
          freeBytes: amount,
          totalBytes: amount,
        }),
      ),
      keys: z.array(
        z.object({
          state,
          /** `gateway`: certificate of a gateway for devices; `controller`: key that devices pin; `api`: API keys. */
          kind: z.enum(["gateway", "controller", "api"]),
          /** Host and port of the gateway. */
          place: z.string().nullable(),
          /** Since when it is in use; a change that is under way has no such moment. */
          since: moment,
          /** Null: it does not end. */
          expiresAt: moment,
          /** API keys that end soon; a key of the controller that is prepared. */
          count: amount,
        }),
      ),
      backup: z.object({
        state,
        /** Null: no process knows of one. */
        at: moment,
      }),
    }),
    may: "installationView",
  }),
);
