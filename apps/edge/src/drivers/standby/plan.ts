/** What speaks VRRP in the LANs of a site, compared with what should. Pure. */
import type { StandbySection } from "@weft/contract/device/v1/standby.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { canonicalCidr } from "#drivers/address.ts";
import { phases, type Step } from "#drivers/driver.ts";
import { renderStandby, type StandbyPaths } from "./render.ts";

/** An address that the active device has. */
export interface Held {
  readonly interfaceName: string;
  /** Address/length. */
  readonly address: string;
}

/** Null: there is no other device. */
export type StandbyPart = {
  readonly config: string;
  readonly held: readonly Held[];
  readonly lans: readonly string[];
  readonly lines: readonly string[];
  /** Ids of its links. */
  readonly links: readonly number[];
  readonly role: StandbySection["role"];
} | null;

export interface StandbyFound {
  /** Configuration that the running program was started with; null: none runs. */
  readonly running: string | null;
  /** The file as it is; null: there is none. */
  readonly config: string | null;
  /** Anything of it is on the machine, alive or not. */
  readonly isThere: boolean;
  /** Configuration that the program does not run with: it is tried again by the watch. */
  readonly failed: string | null;
}

export interface StandbyStep extends Step {
  readonly driver: "standby";
  readonly kind: "start" | "end";
}

export const pickStandby = (state: DesiredState | null, paths: StandbyPaths): StandbyPart => {
  if (!state?.standby) return null;
  const { standby } = state;
  return {
    config: renderStandby(standby, paths),
    held: standby.lans.flatMap(({ interfaceName, gateways }) =>
      gateways.map((gateway) => ({ interfaceName, address: canonicalCidr(gateway) })),
    ),
    lans: standby.lans.map(({ interfaceName }) => interfaceName),
    lines: state.underlay.lines.map(({ interfaceName }) => interfaceName),
    links: state.tunnels.flatMap(({ links }) => links.map(({ id }) => id)),
    role: standby.role,
  };
};

const step = (kind: StandbyStep["kind"], summary: string): StandbyStep => ({
  driver: "standby",
  kind,
  summary,
  phase: kind === "start" ? phases.addStandby : phases.removeStandby,
});

export const planStandby = (part: StandbyPart, observed: StandbyFound): StandbyStep[] => {
  if (part === null) return observed.isThere ? [step("end", "end the hot standby")] : [];
  if (observed.failed === part.config) return [];
  const isServed = observed.running === part.config && observed.config === part.config;
  return isServed ? [] : [step("start", "stand for the other device of the site")];
};
