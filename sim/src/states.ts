/** The documents that simulated devices are given, and what applying one of them leads to. */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { cpeState } from "@weft/edge/test/states.ts";
import type { Reach } from "./network.ts";

/**
 * `good`; `light`: like the last good one but for its probes; `cut`: nothing gets through any more;
 * `cutNew`: open connections go on, new ones fail; `fail`: a step cannot be run.
 */
export type StateKind = "good" | "light" | "cut" | "cutNew" | "fail";

const good = "100.64.1.1";
const gateways: Partial<Record<StateKind, string>> = { cut: "192.0.2.1", cutNew: "192.0.2.2" };
const impossible = "192.0.2.3";

/** Makes states of one node, each unlike those before it. */
export class States {
  readonly #node: number;
  #count = 0;
  #base = 0;
  #hasProbe = true;
  #networks = 0;

  constructor(node: number) {
    this.#node = node;
  }

  /** Another list of the networks of its space, which later states have as well. */
  revise(): { readonly name: string; readonly content: unknown } {
    this.#networks += 1;
    return { name: "space.3", content: this.#space() };
  }

  #space() {
    const networks = Array.from({ length: this.#networks }, (_, at) => `10.77.${at}.0/24`);
    return { spaceId: 3, netns: null, networks: ["10.1.7.0/24", "10.1.8.0/24", ...networks] };
  }

  make(kind: StateKind): DesiredState {
    this.#count += 1;
    if (kind === "light") this.#hasProbe = !this.#hasProbe;
    else if (kind === "good") this.#base = this.#count;
    const number = kind === "light" ? this.#base : this.#count;
    const gateway = gateways[kind] ?? good;
    const state = cpeState({ node: this.#node, gateway, probe: this.#hasProbe });
    const nextHop = kind === "fail" ? impossible : "10.1.7.254";
    return {
      ...state,
      spaces: [this.#space()],
      static: { routes: [{ destination: `10.${number % 250}.0.0/16`, nextHop, metric: 1 }] },
    };
  }
}

/** What still gets through on a machine with these settings of the underlay. */
export const reachOf = (underlay: ReadonlyMap<string, string>): Reach => {
  const line = underlay.get("line wan1") ?? "";
  if (line.includes(`"${gateways.cut}"`)) return "none";
  return line.includes(`"${gateways.cutNew}"`) ? "open" : "all";
};

/** True for a setting that no machine can make. */
export const isImpossible = (key: string): boolean => key.includes(impossible);
