/** A version of a template that goes out in waves (docs/adr/0019-waves.md). */
import { z } from "zod";
import { compileFailures } from "#domains/delivery/enums.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing, pagedEndpoint, pageFields } from "#kernel/endpoint.ts";
import { fromVersion } from "./version-number.ts";
import { wavePlanFields } from "./wave-plan.ts";

/**
 * `running`: the CPEs of a wave are observed. `waiting`: an operator starts the next wave. `halted`:
 * nothing more goes out until an operator decides. `rolledBack` and `completed` are its ends.
 */
export const rolloutStates = ["running", "waiting", "halted", "rolledBack", "completed"] as const;
export type RolloutState = (typeof rolloutStates)[number];
export const openRolloutStates: readonly RolloutState[] = ["running", "waiting", "halted"];

/**
 * Why it halted, or `unseen` of one that is completed: on none of its CPEs the version was seen. `restore`: it was open
 * in a backup that was restored.
 */
export const rolloutReasons = ["gate", "operator", "restore", "unseen"] as const;

/** What a CPE can fail by. `task`: its device did not take the configuration over. `arrival`: not in time. */
export const waveGates = ["task", "arrival", "contact", "links", "loss", "findings"] as const;
export type WaveGate = (typeof waveGates)[number];

/**
 * Of one CPE. `ahead`: its wave has not started. `underway`: the version is on its way. `observed`: its
 * device runs it, and has to stay as it is for the soak time. `absent`: no device was in contact, and it is
 * not waited for. `held`: an operator has to do something before it can get the version. `rolledBack`: it follows
 * its previous version again.
 */
export const memberOutcomes = [
  ...(["ahead", "underway", "observed", "passed", "absent", "held", "rolledBack"] as const),
] as const;
export type MemberOutcome = (typeof memberOutcomes)[number];

/**
 * Why a CPE is `held`. `pin`: an operator returned it to an earlier configuration, and it is not waited for.
 * `compile`: no configuration of it could be made without the version either; it is not waited for.
 * `approval`: the change guard keeps the configuration with the version back, and its wave waits for the decision.
 */
export const holdReasons = ["pin", "compile", "approval"] as const;
export type HoldReason = (typeof holdReasons)[number];

export const waveStates = ["ahead", "underway", "passed", "rolledBack"] as const;
export type WaveState = (typeof waveStates)[number];

const failure = z.object({
  gate: z.enum(waveGates),
  params: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type WaveFailure = z.output<typeof failure>;

const wave = z.object({
  number: z.number(),
  state: z.enum(waveStates),
  cpes: z.number(),
  /** CPEs by what became of them. */
  counts: z.partialRecord(z.enum(memberOutcomes), z.number()),
  /** CPEs that failed, by gate. */
  failures: z.partialRecord(z.enum(waveGates), z.number()),
  startTime: codec.instant.nullable(),
});

const rollout = z.object({
  rolloutId: z.number(),
  templateId: z.number(),
  templateName: z.string(),
  version: z.number(),
  state: z.enum(rolloutStates),
  reason: z.enum(rolloutReasons).nullable(),
  /** A gate failed, or an operator rolled it back. */
  isBad: codec.flag,
  /** The wave that is underway, or was last, from 1. */
  wave: z.number(),
  waves: z.array(wave),
  cpes: z.number(),
  /** CPEs for which it is known what will not act; the first wave waits for all. */
  prepared: z.number(),
  sizes: z.array(z.string()),
  soak: z.number(),
  grace: z.number(),
  contactGate: codec.flag,
  linkGate: codec.flag,
  findingGate: codec.flag,
  lossLimit: z.number().nullable(),
  askEach: codec.flag,
  /** Of the state. */
  since: codec.instant,
  createTime: codec.instant,
  createBy: z.string(),
});

const idOnly = { rolloutId: codec.id };

/**
 * Freezes what each template holds as its next version, like `routerTemplate.issue`, and sends it wave by
 * wave. Refused while another rollout of a template is not over.
 */
export const routerTemplateRolloutStart = endpoint({
  id: "routerTemplateRollout.start",
  addition: "operators try a version on few CPEs first; the specification publishes to all at once",
  method: "POST",
  path: "/customer/routerTemplateRollout/start",
  input: z.object({ templateId: codec.someIds, fromVersion, ...wavePlanFields }),
  output: z.object({ rolloutIds: z.array(z.number()) }),
  may: "routerTemplateEdit",
});

/** Rollouts of a template, the newest first. */
export const routerTemplateRolloutList = pagedEndpoint({
  id: "routerTemplateRollout.list",
  addition: "operators watch waves; the specification has none",
  method: "GET",
  path: "/customer/routerTemplateRollout/list",
  input: z.object({ ...pageFields, templateId: codec.id }),
  output: rollout,
  may: "routerTemplateList",
});

const seen = z.object({ online: codec.flag, links: z.number(), loss: z.number().nullable() });

/** CPEs of a rollout in the order of its waves, those that failed first. */
export const routerTemplateRolloutMembers = pagedEndpoint({
  id: "routerTemplateRollout.members",
  addition: "operators see which CPE made a wave fail, and why",
  method: "GET",
  path: "/customer/routerTemplateRollout/members",
  input: z.object({ ...pageFields, ...idOnly, wave: codec.orNull(codec.int(1, 100)) }),
  output: z.object({
    cpeId: z.number(),
    cpeName: z.string(),
    wave: z.number(),
    outcome: z.enum(memberOutcomes),
    /** Of `held`. */
    heldBy: z.enum(holdReasons).nullable(),
    failure: failure.nullable(),
    /**
     * Why it is not known which objects of the version will not act on it, so that the gate leaves them out; null: it
     * is known, or not looked at yet. `noReport`: no device had reported what it can when its wave started.
     */
    unchecked: z
      .object({ code: z.enum(["noReport", ...compileFailures]), detail: z.string() })
      .nullable(),
    /** What is worse than before at this moment, and has not been so for the grace time. */
    suspects: z.array(z.enum(waveGates)),
    /** What it followed before; null: none. */
    versionBefore: z.number().nullable(),
    startTime: codec.instant.nullable(),
    /** When its soak time began; null: it has not. */
    steadySince: codec.instant.nullable(),
    /** At the start of its wave, and at the last observation. */
    before: seen.nullable(),
    now: seen.nullable(),
  }),
  may: "routerTemplateList",
});

/** A decision is about what was read: one that moved on since is refused with `conflict`. */
const asRead = {
  ...idOnly,
  state: codec.orNull(z.enum(rolloutStates)).default(null),
  wave: codec.orNull(codec.int(1, 100)).default(null),
};

const decision = (verb: "goOn" | "halt" | "rollBack", why: string) =>
  endpoint({
    id: `routerTemplateRollout.${verb}`,
    addition: why,
    method: "POST",
    path: `/customer/routerTemplateRollout/${verb}`,
    input: z.object(asRead),
    output: nothing,
    may: "routerTemplateEdit",
  });

/** Starts the next wave of a waiting rollout, or takes a halted one up again: its wave is observed from now. */
export const routerTemplateRolloutGoOn = decision("goOn", "an operator starts the next wave");
/** Nothing more goes out; CPEs keep what they have. */
export const routerTemplateRolloutHalt = decision("halt", "an operator stops a rollout");
/** Every CPE follows its previous version again, and the version is marked as bad. */
export const routerTemplateRolloutRollBack = decision("rollBack", "an operator undoes a rollout");
