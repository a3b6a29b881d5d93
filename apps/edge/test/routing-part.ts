/** A routing part for pure tests, and what is made of it. */
import type { RoutingSection } from "@weft/contract/device/v1/routing.ts";
import { diffConfig } from "#drivers/routing/plan.ts";
import { configText, type RoutingPart, renderRouting } from "#drivers/routing/render.ts";

export const section = (change: Partial<RoutingSection> = {}): RoutingSection => ({
  spaceId: 5,
  netns: null,
  asn: 65_000,
  reflector: false,
  bfd: { intervalMs: 100, multiplier: 3 },
  announce: ["10.1.1.1/24", "fd57:1::1/64"],
  neighbors: [
    {
      linkId: 7,
      interfaceName: "wl7",
      address4: "10.255.0.0",
      address6: "fd57:ff::",
      preference: 200,
      client: false,
      accept: null,
    },
  ],
  ...change,
});

export const part = (change: Partial<RoutingPart> = {}): RoutingPart => ({
  routerId: "10.254.0.1",
  spaces: false,
  followsDefault: false,
  statics: [],
  instances: [section()],
  site: null,
  ranks: null,
  segments: [],
  exits: [],
  backsUp: false,
  ...change,
});

export const text = (wanted: RoutingPart) => configText(renderRouting(wanted));
export const lines = (wanted: RoutingPart) => renderRouting(wanted);
export const change = (from: RoutingPart, to: RoutingPart) => {
  const { add, remove } = diffConfig(lines(from), lines(to));
  return { add: configText(add), remove: configText(remove) };
};
