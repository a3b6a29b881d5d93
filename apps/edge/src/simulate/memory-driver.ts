/**
 * A driver that keeps in memory what was applied: the same plan and steps as on a machine, without
 * one. A part is a list of named settings; a step sets or removes one of them.
 */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import type { Driver, Phase, Step } from "#drivers/driver.ts";
import type { ObjectName } from "#drivers/refusals.ts";
import type { DriverName } from "#drivers/section-drivers.ts";

/** Name of a setting ("link wl7") and its text; the text is only compared. */
export type Settings = ReadonlyMap<string, string>;

export interface MemoryStep extends Step {
  readonly kind: "set" | "remove";
  readonly key: string;
}

export interface MemoryDriver extends Driver<Settings, Settings, MemoryStep> {
  /** What is applied. A test changes it as a user of the device would. */
  readonly applied: Map<string, string>;
}

export interface MemoryDriverSpec {
  readonly name: DriverName;
  readonly add: Phase;
  readonly remove: Phase;
  /** The driver's settings in a state. */
  settings(state: DesiredState): Settings;
  /** The object of the state that a setting is for; absent: none of them is for one alone. */
  about?(key: string): ObjectName | undefined;
}

export const memoryDriver = (spec: MemoryDriverSpec): MemoryDriver => {
  const applied = new Map<string, string>();
  const step = (kind: MemoryStep["kind"], key: string): MemoryStep => {
    const about = kind === "set" ? spec.about?.(key) : undefined;
    return {
      driver: spec.name,
      kind,
      phase: kind === "set" ? spec.add : spec.remove,
      summary: `${kind} ${key}`,
      key,
      ...(about && { about }),
    };
  };
  return {
    name: spec.name,
    applied,
    pick: (state) => (state ? spec.settings(state) : new Map()),
    validate: async () => {},
    observe: async () => new Map(applied),
    plan: (wanted, settings) => [
      ...[...wanted].flatMap(([key, text]) =>
        settings.get(key) === text ? [] : [step("set", key)],
      ),
      ...[...settings.keys()].flatMap((key) => (wanted.has(key) ? [] : [step("remove", key)])),
    ],
    run: async ({ kind, key }, wanted) => {
      const text = wanted.get(key);
      if (kind === "remove" || text === undefined) applied.delete(key);
      else applied.set(key, text);
    },
  };
};
