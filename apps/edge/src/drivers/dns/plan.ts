/** What runs for the LANs of a site, compared with what should. Pure. */
import type { DhcpRange } from "@weft/contract/device/v1/dns.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { networkOf } from "@weft/contract/rules/address.ts";
import { phases, type Step } from "#drivers/driver.ts";
import { learnedNames } from "#drivers/exits.ts";
import { type ControlPart, partOf } from "./controls.ts";
import { type DnsPaths, renderConfig, sourceFor } from "./render.ts";

/** Null: nothing is served. */
export type DnsPart = {
  readonly config: string;
  /** Of the addresses that it gives; none: it gives no address. */
  readonly ranges: readonly DhcpRange[];
  /** Addresses that single hosts get, also outside of the ranges. */
  readonly reserved: readonly string[];
  readonly lines: readonly string[];
  /** Networks of the LANs and of the space. */
  readonly inner: readonly string[];
  /** What its controls depend on; null: it has none. */
  readonly controls: ControlPart | null;
} | null;

export interface DnsFound {
  /** Configuration that the running program was started with; null: none runs. */
  readonly running: string | null;
  /** The file as it is; null: there is none. */
  readonly config: string | null;
  /** Anything of it is on the machine, alive or not. */
  readonly isThere: boolean;
  /** Configuration that the program does not run with: it is tried again by the watch. */
  readonly failed: string | null;
}

export interface DnsStep extends Step {
  readonly driver: "dns";
  readonly kind: "serve" | "end";
}

export const pickDns = (state: DesiredState | null, paths: DnsPaths): DnsPart => {
  if (!state?.dns) return null;
  const { lines, lans } = state.underlay;
  const names = [...new Set(lans.filter(({ vlan }) => vlan === 0).map((lan) => lan.interfaceName))];
  const ranges = state.dns.ranges.filter(({ interfaceName }) => names.includes(interfaceName));
  if (names.length === 0) return null;
  const { dns } = state;
  const learned = learnedNames(state);
  const inner = [
    ...lans.flatMap(({ addresses }) => addresses.map(networkOf)),
    ...(state.spaces ?? []).flatMap(({ networks }) => networks),
  ];
  return {
    config: renderConfig({ ...state.dns, ranges }, names, state, paths),
    ranges,
    reserved: (dns.reservations ?? []).map(({ address }) => address),
    lines: lines.map(({ interfaceName }) => interfaceName),
    inner,
    controls:
      dns.controls || learned.length > 0
        ? partOf(dns, state, inner, (text) => sourceFor(state, text), learned)
        : null,
  };
};

const step = (kind: DnsStep["kind"], summary: string): DnsStep => ({
  driver: "dns",
  kind,
  phase: phases.dns,
  summary,
});

export const planDns = (part: DnsPart, observed: DnsFound): DnsStep[] => {
  if (part === null) return observed.isThere ? [step("end", "end the resolver of the LANs")] : [];
  if (observed.failed === part.config) return [];
  const isServed = observed.running === part.config && observed.config === part.config;
  return isServed ? [] : [step("serve", "serve names and addresses to the LANs")];
};
