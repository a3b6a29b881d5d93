/** Plans and steps over all drivers of a machine. */

import type { Finding } from "@weft/contract/device/v1/findings.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { outcomeLine } from "@weft/contract/domains/delivery/outcome-text.ts";
import type { AnyDriver, Machine, Step } from "#drivers/driver.ts";
import { CommandFailed } from "#drivers/exec.ts";
import { lacking } from "#drivers/needs.ts";
import { ObjectsRefused, PartRefused, type Refused } from "#drivers/refusals.ts";
import { selectSupported } from "#drivers/supported-state.ts";
import { type Clock, sleep } from "#edge/clock.ts";
import { reasonOf } from "#edge/log.ts";
import { inOrder } from "./plan.ts";

interface PlannedStep {
  readonly driver: AnyDriver;
  readonly part: unknown;
  readonly step: Step;
}

export type Plan = readonly PlannedStep[];

const reported = (driver: AnyDriver, error: unknown): Error =>
  new Error(`${driver.name}: ${reasonOf(error)}`, { cause: error });

const fitted = async (machine: Machine, state: DesiredState) => {
  const [capabilities, interfaces, leases, controllers] = await Promise.all([
    machine.capabilities(),
    machine.interfaces(),
    machine.leases(),
    machine.controllers(),
  ]);
  const links = { pathMtus: machine.pathMtus(), deadIpv6: machine.deadIpv6() };
  const seen = {
    ipv6: machine.ipv6(),
    foreignSources: machine.foreignSources(),
    smallDrops: machine.smallDrops(),
    exhaustedRanges: machine.exhaustedRanges(),
    resolverFailure: machine.resolverFailure(),
    filterFailure: machine.filterFailure(),
    standbyFailure: machine.standbyFailure(),
    silentRouters: machine.silentRouters(),
    silentLines: machine.silentLines(),
    cutSegments: machine.cutSegments(),
    cutExits: machine.cutExits(),
    flowTable: machine.flowTable(),
  };
  const refused = machine.refusals.all;
  const known = { capabilities, interfaces, leases, controllers };
  const facts = { ...known, refused, ...links, ...seen };
  return { ...selectSupported(state, facts), capabilities };
};

/**
 * What of the state does not act on the machine; the rest can be applied. Throws with a message for
 * people when forwarding itself lacks something, or no line is left; touches nothing.
 */
export const validateAll = async (
  machine: Machine,
  state: DesiredState,
): Promise<readonly Finding[]> => {
  for (;;) {
    try {
      return await validateOnce(machine, state);
    } catch (error) {
      if (!(await leaveOut(machine, state, refusedBy(error), null))) throw error;
    }
  }
};

const validateOnce = async (machine: Machine, state: DesiredState): Promise<readonly Finding[]> => {
  const { state: left, findings, capabilities } = await fitted(machine, state);
  const missing = lacking(left, capabilities);
  if (missing.length > 0) throw new Error(outcomeLine("lacks", { missing: missing.join(", ") }));
  if (state.underlay.lines.length > 0 && left.underlay.lines.length === 0) {
    const lines = findings.filter(({ kind }) => kind === "line");
    throw new Error(outcomeLine("noLine", { lines: lines.map(textOf).join(", ") }));
  }
  for (const driver of machine.drivers) {
    try {
      await driver.validate(driver.pick(left));
    } catch (error) {
      throw reported(driver, error);
    }
  }
  return findings;
};

const textOf = ({ kind, object, reason, params }: Finding): string =>
  [`${kind} ${object}: ${reason}`, ...Object.values(params)].join(", ");

/** What of the state does not act on the machine as it is now. */
export const findingsOf = async (
  machine: Machine,
  state: DesiredState,
): Promise<readonly Finding[]> => (await fitted(machine, state)).findings;

const rethrow = (error: unknown): never => {
  throw error;
};

/**
 * Steps from what is there to what of the state can act, in the order of apply; empty when nothing is to do.
 *
 * The null state is the device as it was before its first document, not a bare one: before that the
 * controller was reached by what the owner or maker had set up. So the underlay driver remembers
 * what an interface had when it took it over, and gives that back; the others just clear what they
 * made. Without it the first state's revert would cut the only way to the controller.
 *
 * @param failed gets the error of a driver that could not observe; by default it is thrown
 */
export const planAll = async (
  machine: Machine,
  state: DesiredState | null,
  failed: (error: unknown) => void = rethrow,
): Promise<Plan> => {
  const planned: PlannedStep[] = [];
  const left = state && (await fitted(machine, state)).state;
  for (const driver of machine.drivers) {
    const part: unknown = driver.pick(left);
    try {
      const steps: readonly Step[] = driver.plan(part, await driver.observe(part));
      planned.push(...steps.map((step) => ({ driver, part, step })));
    } catch (error) {
      failed(reported(driver, error));
    }
  }
  return inOrder(planned);
};

export const summaries = (plan: Plan): string[] =>
  plan.map(({ step }) => `${step.driver}: ${step.summary}`);

/** The controller takes a device to be busy for five minutes; up to two are for the commit confirmation. */
const applyLimitMs = 150_000;

/** What kept a state from acting as a whole, with the steps in question. */
class Unfinished extends Error {
  readonly plan: Plan;
  /** Every step was done, and these are to do all the same. */
  readonly isLeft: boolean;

  constructor(message: string, plan: Plan, cause?: unknown) {
    super(message, { cause });
    this.name = "Unfinished";
    this.plan = plan;
    this.isLeft = cause === undefined;
  }
}

/**
 * Runs the steps; throws at the first that fails, and at the first that comes too late. A step under
 * way is never left to itself: each call to the system has a limit of its own.
 * @param clock absent in a rollback, which is never cut short
 * @param until on the clock, where it is not the first plan of an apply
 */
export const runAll = async (
  plan: Plan,
  clock?: Pick<Clock, "monotonic">,
  until = (clock?.monotonic() ?? 0) + applyLimitMs,
): Promise<void> => {
  for (const [at, { driver, part, step }] of plan.entries()) {
    if (clock && clock.monotonic() > until) {
      const progress = { seconds: applyLimitMs / 1_000, done: at, steps: plan.length };
      throw new Error(outcomeLine("late", progress));
    }
    try {
      await driver.run(step, part);
    } catch (error) {
      const message = `${driver.name}: ${step.summary}: ${reasonOf(error)}`;
      throw new Unfinished(message, [{ driver, part, step }], error);
    }
  }
};

/** Routes move for seconds after a step, and a daemon that died is set up again meanwhile. */
const settleLimitMs = 10_000;
/** In a rollback and when drift is healed, which are tried again anyway. */
const backLimitMs = 2_000;
const settlePauseMs = 250;
const maxSettlePauseMs = 2_000;
const noSignal = new AbortController().signal;

/**
 * Throws unless planning again finds nothing to do: only then did the apply succeed. What is left at
 * first may still be on its way (BGP has to settle), so that it is looked at again for some seconds.
 */
export const verify = async (
  machine: Machine,
  state: DesiredState | null,
  clock: Clock,
  limitMs = settleLimitMs,
): Promise<void> => {
  const until = clock.monotonic() + limitMs;
  for (;;) {
    const lookedAt = clock.monotonic();
    const left = await planAll(machine, state);
    if (left.length === 0) return;
    const tookMs = clock.monotonic() - lookedAt;
    if (clock.monotonic() >= until) {
      const [first = ""] = summaries(left);
      throw new Unfinished(outcomeLine("left", { steps: left.length, first }), left);
    }
    // Where looking takes long, the machine is busy with what is waited for.
    await sleep(clock, Math.min(Math.max(settlePauseMs, tookMs), maxSettlePauseMs), noSignal);
  }
};

const whyOf = ({ message, cause }: Error): string => {
  if (cause instanceof PartRefused) return cause.message;
  return cause instanceof CommandFailed && cause.text !== "" ? cause.text : message;
};

/** What the machine refused by a failure: the objects that its steps are for, those that it names, or the part of one; each once. */
const refusedBy = (error: unknown): readonly Refused[] => {
  if (!(error instanceof Error)) return [];
  const { cause } = error;
  if (cause instanceof ObjectsRefused) return cause.refused;
  if (!(error instanceof Unfinished)) return [];
  const why = whyOf(error);
  const refused = error.plan.flatMap(({ step: { about } }) => {
    if (about === undefined) return [];
    return [{ about: cause instanceof PartRefused ? { ...about, kind: cause.kind } : about, why }];
  });
  const keyOf = ({ about: { section, kind, object } }: Refused) => `${section} ${kind} ${object}`;
  return [...new Map(refused.map((refusal) => [keyOf(refusal), refusal])).values()];
};

const hasLinks = ({ tunnels }: DesiredState): boolean =>
  tunnels.some(({ links }) => links.length > 0);

/** Whether all that the state could carry by would be out, for a reason that cannot be that of each: the state before is better. */
const isLost = (state: DesiredState, left: DesiredState, refused: readonly Refused[]): boolean => {
  const links = refused.filter(({ about: { kind } }) => kind === "link");
  const spaces = refused.some(({ about: { kind } }) => kind === "space");
  return (
    (state.underlay.lines.length > 0 && left.underlay.lines.length === 0) ||
    (links.length > 1 && hasLinks(state) && !hasLinks(left)) ||
    (spaces && state.routings.length > 0 && left.routings.length === 0)
  );
};

/**
 * Leaves out objects that the machine refused, or that are still to do after all time to settle.
 * @param before the state that runs, whose WAN links stay where those of this one are refused
 * @returns false: there are none, they are out already, or no WAN link, link or space would be left
 */
const leaveOut = async (
  machine: Machine,
  state: DesiredState,
  refused: readonly Refused[],
  before: DesiredState | null,
): Promise<boolean> => {
  // A WAN link that stays as it was may be refused as such, too.
  const isNew = ({ about }: Refused) => about.kind === "line" || !machine.refusals.isOut(about);
  if (!refused.some(isNew)) return false;
  for (const { about, why, form } of refused) {
    const line = before?.underlay.lines.find(
      ({ interfaceName }) => about.kind === "line" && interfaceName === about.object,
    );
    machine.refusals.add(about, why, line ?? null, form);
  }
  const { state: left } = await fitted(machine, state);
  if (!isLost(state, left, refused)) return true;
  for (const { about } of refused) machine.refusals.forget(about);
  return false;
};

/**
 * Runs the steps and verifies them; what is left then once more. What the machine refuses is left out, what its steps had made until then is taken away
 * again, and the rest acts; throws when that is not possible.
 * @param before the state that runs
 */
export const applyAll = async (
  machine: Machine,
  state: DesiredState,
  plan: Plan,
  clock: Clock,
  before: DesiredState | null,
): Promise<void> => {
  const until = clock.monotonic() + applyLimitMs;
  let isRepeated = false;
  for (let steps = plan; ; steps = await planAll(machine, state)) {
    try {
      await runAll(steps, clock, until);
      await verify(machine, state, clock);
      return;
    } catch (error) {
      // What came up since the machine was looked at, as an address of a router advertisement that was on its way, is no
      // reason to take back all the rest.
      if (error instanceof Unfinished && error.isLeft && !isRepeated) {
        isRepeated = true;
        continue;
      }
      if (!(await leaveOut(machine, state, refusedBy(error), before))) throw error;
    }
  }
};

/**
 * Runs step by step. After one of an object that was refused before the others are planned anew: it is out again, and what
 * stands in its place must not go. What else fails is tried again soon, as it acted before.
 */
const runEach = async (
  machine: Machine,
  state: DesiredState | null,
  plan: Plan,
  fail: (error: unknown) => void,
): Promise<void> => {
  for (const step of plan) {
    try {
      await runAll([step]);
    } catch (error) {
      const known = refusedBy(error).filter(({ about }) => machine.refusals.has(about));
      if (state !== null && (await leaveOut(machine, state, known, null)))
        return runEach(machine, state, await planAll(machine, state, fail), fail);
      fail(error);
    }
  }
};

/**
 * Brings the machine to a state as far as it can: a step that fails, or a driver that cannot observe,
 * does not keep the others from running, because this is the rollback. Gives what is still wrong;
 * null: nothing.
 *
 * @param plan where it was just made; null: the machine is looked at first
 */
export const settle = async (
  machine: Machine,
  state: DesiredState | null,
  clock: Clock,
  plan: Plan | null = null,
): Promise<string | null> => {
  let failed: string | null = null;
  const fail = (error: unknown) => {
    failed ??= reasonOf(error);
  };
  await runEach(machine, state, plan ?? (await planAll(machine, state, fail)), fail);
  try {
    await verify(machine, state, clock, backLimitMs);
    return null;
  } catch (error) {
    return failed ?? reasonOf(error);
  }
};
