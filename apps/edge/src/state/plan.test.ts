import type { StateHead, StateId } from "@weft/contract/device/v1/state.ts";
import { expect, test } from "vitest";
import { type Phase, phases, type Step } from "#drivers/driver.ts";
import type { DriverName } from "#drivers/section-drivers.ts";
import {
  type BootAction,
  type Found,
  type HeadVerdict,
  type HeadView,
  inOrder,
  isLight,
  type JournalView,
  missingSections,
  planBoot,
  validateHead,
} from "./plan.ts";

const id = (serial: number, epoch = 1): StateId => ({ epoch, serial });
const head = (serial: number): StateHead => ({ ...id(serial), sections: {} });
const step = (driver: DriverName, phase: Phase): Step => ({
  driver,
  phase,
  kind: "set",
  summary: `${driver} ${phase}`,
});

test("steps run by phase, and within a phase as they came", () => {
  const steps = [
    step("tunnel", phases.removeTunnel),
    step("routing", phases.addRouting),
    step("underlay", phases.addUnderlay),
    step("firewall", phases.firewall),
    step("probe", phases.probe),
    step("tunnel", phases.addTunnel),
    { ...step("routing", phases.addRouting), summary: "second" },
  ].map((one) => ({ step: one }));
  expect(inOrder(steps).map((one) => one.step.summary)).toEqual([
    "firewall 5",
    "underlay 10",
    "tunnel 30",
    "routing 60",
    "second",
    "probe 70",
    "tunnel 90",
  ]);
});

test("only plans that leave every path alone are light", () => {
  expect(isLight([])).toBe(true);
  expect(isLight([step("probe", phases.probe)])).toBe(true);
  for (const name of ["underlay", "firewall", "tunnel", "routing"] as const)
    expect(isLight([step("probe", phases.probe), step(name, phases.probe)]), name).toBe(false);
});

const idle: HeadView = {
  running: id(5),
  active: null,
  fetching: null,
  waiting: null,
  controllerEpoch: 1,
  blocked: null,
};

test.each<[what: string, head: StateId, view: Partial<HeadView>, verdict: HeadVerdict]>([
  ["the first of all", id(1), { running: null }, "take"],
  ["a newer one", id(6), {}, "take"],
  ["the running one", id(5), {}, "old"],
  ["an older one", id(4), {}, "old"],
  ["a later epoch with a small serial", id(1, 2), { controllerEpoch: 2 }, "take"],
  ["an epoch that the controller did not send", id(9, 2), {}, "epoch"],
  ["an earlier epoch with a large serial", id(99), { controllerEpoch: 2 }, "epoch"],
  ["what an earlier epoch left", id(99), { running: id(1, 2), controllerEpoch: 2 }, "epoch"],
  ["a newer one while one is unconfirmed", id(7), { active: id(6) }, "wait"],
  ["the unconfirmed one again", id(6), { active: id(6) }, "old"],
  ["older than what waits", id(7), { active: id(6), waiting: id(8) }, "old"],
  ["newer than what waits", id(9), { active: id(6), waiting: id(8) }, "wait"],
  ["newer than what is fetched", id(8), { fetching: id(7) }, "take"],
  ["what is fetched", id(7), { fetching: id(7) }, "again"],
  ["older than what is fetched", id(6), { fetching: id(7) }, "old"],
  ["what was just reverted", id(6), { blocked: id(6) }, "blocked"],
  ["newer than what was just reverted", id(7), { blocked: id(6) }, "take"],
])("%s: %o", (_what, one, view, verdict) => {
  expect(validateHead(one, { ...idle, ...view })).toBe(verdict);
});

const none = { kind: "none" } as const;
const damaged = { kind: "damaged" } as const;
const confirmed = (serial: number) => ({ kind: "value", value: { head: head(serial) } }) as const;
const journal = (serial: number, previous: number | null) => {
  const value: JournalView = {
    target: head(serial),
    previous: previous === null ? null : head(previous),
    phase: "applied",
  };
  return { kind: "value", value } as const;
};
const leave = { kind: "leave" } as const;
const apply = (serial: number) => ({ kind: "apply", head: head(serial) }) as const;
const revert = (to: number | null) =>
  ({ kind: "revert", to: to === null ? null : head(to) }) as const;

test.each<[string, Found<JournalView>, Found<{ head: StateHead }>, Partial<BootAction>]>([
  ["a new device", none, none, leave],
  ["a device at rest", none, confirmed(5), apply(5)],
  ["what was confirmed is not known", none, damaged, leave],
  ["stopped while unconfirmed", journal(6, 5), confirmed(5), revert(5)],
  ["stopped between confirmation and clearing", journal(6, 5), confirmed(6), apply(6)],
  ["stopped in the first state", journal(1, null), none, revert(null)],
  ["the journal knows the way that confirmed.json lost", journal(6, 5), damaged, revert(5)],
  ["neither knows it", journal(1, null), damaged, leave],
  ["the journal is damaged", damaged, confirmed(5), revert(5)],
  ["the journal of the first state is damaged", damaged, none, revert(null)],
  ["all is damaged", damaged, damaged, leave],
])("at a start, %s", (_what, entry, state, action) => {
  expect(planBoot(entry, state)).toMatchObject(action);
});

test("a hash that two sections share is requested once", () => {
  const sections = { node: "a", static: "b", firewall: "b", underlay: "c" };
  const missing = missingSections({ ...id(1), sections }, (hash) => hash === "a");
  expect([...missing]).toEqual(["b", "c"]);
});
