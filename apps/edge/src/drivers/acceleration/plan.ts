/** Steps to the ways out of a POP's spaces: a pair of interfaces, their addresses, a default and rules. Pure. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { canonicalCidr } from "#drivers/address.ts";
import { phases, type Step } from "#drivers/driver.ts";
import {
  leavingRules,
  type SiteExit,
  type SpaceExit,
  siteExits,
  spaceExits,
} from "#drivers/exits.ts";
import { exitName } from "#drivers/without-refused.ts";

export interface AccelerationPart {
  readonly exits: readonly SpaceExit[];
  /** Exits of a site, which are watched only. */
  readonly watched: readonly SiteExit[];
}

export interface FoundExit {
  readonly interfaceName: string;
  /** Null: its other end is in no namespace of a space, or the pair is not whole. */
  readonly netns: string | null;
  readonly isUp: boolean;
  /** Of its ends. */
  readonly mtus: readonly number[];
  readonly outer: readonly string[];
  readonly inner: readonly string[];
  /** Priorities with family and text of the rules of ours. */
  readonly rules: readonly string[];
  /** Families with a default of ours, with its gateway. */
  readonly defaults: readonly string[];
}

export type AccelerationStep = Step &
  (
    | { readonly kind: "open"; readonly exit: SpaceExit }
    | { readonly kind: "size"; readonly exit: SpaceExit }
    | { readonly kind: "close"; readonly interfaceName: string; readonly netns: string | null }
  );

export const pickAcceleration = (state: DesiredState | null): AccelerationPart =>
  state === null
    ? { exits: [], watched: [] }
    : { exits: spaceExits(state), watched: siteExits(state) };

const wantedRules: readonly string[] = leavingRules
  .map(({ family, priority, text }) => `IPv${family} ${priority} ${text}`)
  .sort();

const same = (one: readonly string[], other: readonly string[]): boolean =>
  [...one].sort().join() === [...other].sort().join();

const addressesOf = (...all: readonly string[]): string[] => all.map(canonicalCidr);

/** What differs, for people; null: nothing. */
const lackOf = (exit: SpaceExit, observed: FoundExit | undefined): string | null => {
  if (observed === undefined || observed.netns !== exit.netns) return "it is not there";
  if (!observed.isUp) return "it is down";
  const isAddressed =
    same(observed.outer, addressesOf(exit.outer4, exit.outer6)) &&
    same(observed.inner, addressesOf(exit.inner4, exit.inner6));
  if (!isAddressed) return "its addresses differ";
  if (!same(observed.rules, wantedRules)) return "its rules differ";
  return same(observed.defaults, defaultsOf(exit)) ? null : "its default routes differ";
};

const defaultsOf = ({ outer4, outer6 }: SpaceExit): string[] =>
  [outer4, outer6].map((text) => canonicalCidr(text).replace(/\/.*/, ""));

/** Its flows go on, which those of an exit that is opened again do not. */
const sized = (exit: SpaceExit): AccelerationStep => {
  const summary = `set the MTU of the exit of ${exit.netns} to ${exit.mtu}`;
  const about = exitName(exit);
  return { driver: "acceleration", kind: "size", phase: phases.addTunnel, summary, exit, about };
};

export const planAcceleration = (
  { exits }: Pick<AccelerationPart, "exits">,
  observed: readonly FoundExit[],
): AccelerationStep[] => [
  ...exits.flatMap((exit): AccelerationStep[] => {
    const there = observed.find(({ interfaceName }) => interfaceName === exit.interfaceName);
    const why = lackOf(exit, there);
    if (why === null) return there?.mtus.every((mtu) => mtu === exit.mtu) ? [] : [sized(exit)];
    const summary = `open the exit of ${exit.netns}: ${why}`;
    const about = exitName(exit);
    return [
      { driver: "acceleration", kind: "open", phase: phases.addTunnel, summary, exit, about },
    ];
  }),
  ...observed
    .filter(({ interfaceName }) => !exits.some((exit) => exit.interfaceName === interfaceName))
    .map(({ interfaceName, netns }): AccelerationStep => {
      const summary = `close the exit ${interfaceName}`;
      const about = { driver: "acceleration", phase: phases.removeTunnel, summary } as const;
      return { ...about, kind: "close", interfaceName, netns };
    }),
];
