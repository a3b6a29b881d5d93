/**
 * The site of the world that has two cables to the internet (`wan1` to isp1, `wan2` to isp2), for files whose tests are about one
 * device: the machines are there before their tests and are removed after them.
 */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterAll, beforeAll } from "vitest";
import type { NetnsMachine } from "./host.ts";
import {
  createWorld,
  makeSites,
  type Site,
  staticLines,
  staticState,
  type World,
} from "./world.ts";

const sites = makeSites();
const [, site] = sites;

export const twoCableSite: {
  readonly site: Site;
  /** Of its WAN links, where they are static. */
  readonly addresses: readonly [string, string];
  /** With both WAN links static, and nothing that needs a daemon. */
  readonly state: DesiredState;
} = { site, addresses: staticLines(site), state: staticState(site) };

export interface TwoCableMachines {
  readonly world: World;
  /** The site's device; no program runs on it yet. */
  readonly cpe: NetnsMachine;
  /** In the LAN of the site: 10.0.0.100 and fd57:1:2::100. */
  readonly host: NetnsMachine;
}

/**
 * Declares the machines for all tests of a file.
 * @param prepare what its tests need before the first of them; machines are removed after it failed, too
 */
export const setUpTwoCableSite = (prepare: (machines: TwoCableMachines) => Promise<void>): void => {
  let world: World | undefined;
  beforeAll(async () => {
    world = await createWorld(sites);
    await prepare({ world, cpe: world.cpes[1], host: world.hosts[1] });
  });
  afterAll(() => world?.remove());
};
