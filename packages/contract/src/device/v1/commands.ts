/**
 * Commands to a device and their answers, on its socket (design section 6). A command has a time limit
 * and is never sent twice; an answer is cut to its size. Both are additions to v1.
 */
import { z } from "zod";
import { isHost } from "#rules/host.ts";
import { isUrl } from "#rules/text.ts";

/** Bytes of an answer's result as JSON, and of a file that is passed on. */
export const commandBytes = { result: 262_144, file: 524_288 } as const;

/**
 * The local API of a device: what may be asked there, and how. `POST /import` takes a file of hosts(5)
 * lines, which the device checks and does not keep.
 */
export const relayCalls = {
  "/status": "GET",
  "/interfaces": "GET",
  "/routes": "GET",
  "/leases": "GET",
  "/import": "POST",
} as const;
export type RelayPath = keyof typeof relayCalls;

const host = z.string().max(253).refine(isHost);

/** What a device is asked to do. */
export const commandWhat = z.discriminatedUnion("kind", [
  /** Restarts; the answer comes before the device goes down. */
  z.strictObject({ kind: z.literal("reboot") }),
  z.strictObject({ kind: z.literal("ping"), host, count: z.int().min(1).max(20) }),
  /** One GET; its body is thrown away. */
  z.strictObject({ kind: z.literal("http"), url: z.string().max(512).refine(isUrl) }),
  z.strictObject({ kind: z.literal("dns"), name: host }),
  z.strictObject({ kind: z.literal("trace"), host }),
  /** Checks the whole machine now; `heal`: and corrects what differs from the running state. */
  z.strictObject({ kind: z.literal("drift"), heal: z.boolean() }),
  z.strictObject({
    kind: z.literal("relay"),
    method: z.enum(["GET", "POST"]),
    path: z.enum(Object.keys(relayCalls) as [RelayPath, ...RelayPath[]]),
    fields: z.record(z.string().max(100), z.string().max(65_536)),
    /** base64 of its bytes; null: there is none. */
    file: z.strictObject({ name: z.string().max(255), base64: z.base64().max(700_000) }).nullable(),
  }),
]);
export type CommandWhat = z.output<typeof commandWhat>;
export type CommandKind = CommandWhat["kind"];

/** Seconds in which a gateway must have taken a command, beside the time that the device has for it. */
export const commandGraceSeconds = 5;

/** Seconds that a device has for each; who called waits for the grace as well. */
export const commandSeconds: Readonly<Record<CommandKind, number>> = {
  reboot: 10,
  ping: 30,
  http: 20,
  dns: 10,
  trace: 45,
  drift: 45,
  relay: 15,
};

export const command = z.strictObject({
  type: z.literal("command"),
  id: z.int().positive(),
  /** Counted from its arrival; after that an answer is of no use. */
  timeoutMs: z.int().min(1_000).max(120_000),
  what: commandWhat,
});

export const commandAnswer = z.strictObject({
  type: z.literal("answer"),
  id: z.int().positive(),
  /** `refused`: the device will not or cannot do it; `failed`: it tried. */
  outcome: z.enum(["done", "failed", "refused"]),
  /** As the device reports it; null when there is nothing to say. */
  reason: z.string().max(1_024).nullable(),
  /** Of a test a dialFinding, of a relay a relayFinding, of a drift check a driftFinding; null: none. */
  result: z.unknown(),
});

/** What a test found. */
export const dialFinding = z.object({
  /** The target was reached. */
  ok: z.boolean(),
  /** ms; null: no answer. */
  delayMs: z.number().min(0).nullable(),
  /** Percent; null: the test does not count packets. */
  lossPercent: z.number().min(0).max(100).nullable(),
  /** For people, as the tool printed it. */
  lines: z.array(z.string().max(400)).max(100),
});
export type DialFinding = z.output<typeof dialFinding>;

/** How the machine differed from the running state. */
export const driftFinding = z.object({
  /** Steps from what was found to what should run; `steps` holds the first of them. */
  count: z.int().min(0),
  steps: z.array(z.string().max(400)).max(500),
  /** True: all of it was corrected; false: it was not asked for, or there was nothing. */
  healed: z.boolean(),
});
export type DriftFinding = z.output<typeof driftFinding>;

/** What the local API of the device answered. */
export const relayFinding = z.object({ status: z.int().min(100).max(599), body: z.unknown() });

/** Capability by which a device declares that it accepts a command. */
export const commandCapability = (kind: CommandKind): string => `command.${kind}`;
