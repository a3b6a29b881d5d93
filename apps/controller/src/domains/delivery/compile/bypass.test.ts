/** What a site's device does for its LANs when it is placed beside their gateway (X-mode): as states say it. */
import { lanTranslationCapability } from "@weft/contract/device/v1/additions.ts";
import { xModeOf } from "@weft/contract/domains/devices/enums.ts";
import { expect, test } from "vitest";
import { siteModeFindings } from "#domains/policies/policy-finding/public.ts";
import { compile, type ViewNode } from "./compile.ts";

const section = (interfaceName: string, network: string, more: object = {}) => ({
  interfaceName,
  network,
  network6: null,
  vlan: null,
  enableForward: true,
  enableDirect: true,
  ...more,
});
const cpe: ViewNode = {
  id: 5,
  kind: "cpe",
  name: "n5",
  lines: [],
  routes: [],
  sections: [
    section("lan1", "10.1.5.1/24"),
    section("lan2", "10.1.6.1/24", { enableForward: false }),
  ],
};
const able = [{ name: lanTranslationCapability, can: true }];
const lansIn = (xMode?: number, capabilities: typeof able | null = able) =>
  compile({
    capabilities,
    node: { ...cpe, ...(xMode !== undefined && { xMode }) },
    links: [],
    peers: new Map(),
  }).underlay.lans.map(({ direct, forward, translated }) => ({ direct, forward, translated }));

test("the gateway lets its hosts out; a device beside it does not, and translates only for the space", () => {
  const gateway = [
    { direct: true, forward: true, translated: undefined },
    { direct: true, forward: false, translated: undefined },
  ];
  expect(lansIn()).toEqual(gateway);
  expect(lansIn(xModeOf.gateway)).toEqual(gateway);
  expect(lansIn(xModeOf.bypassRoute)).toEqual(gateway.map((lan) => ({ ...lan, direct: false })));
  expect(lansIn(xModeOf.bypassNat)).toEqual([
    { direct: false, forward: true, translated: true },
    { direct: false, forward: false, translated: undefined },
  ]);
});

test("a device that does not read the translation gets the rest, and its mode has a finding", () => {
  const rest = [
    { direct: false, forward: true, translated: undefined },
    { direct: false, forward: false, translated: undefined },
  ];
  const old = [{ name: lanTranslationCapability, can: false }];
  for (const one of [[], old, null]) expect(lansIn(xModeOf.bypassNat, one)).toEqual(rest);
  const found = (xMode: number, capabilities: typeof able | null) =>
    siteModeFindings({ id: 5, name: "n5", xMode }, { capabilities });
  expect(found(xModeOf.bypassNat, old)).toMatchObject([
    { family: "xMode", level: "node", objectId: 5, effect: "cannot", reason: "notCarriedOut" },
  ]);
  expect(found(xModeOf.bypassNat, able)).toEqual([]);
  // What a device can will be seen when it reports.
  expect(found(xModeOf.bypassNat, null)).toEqual([]);
  expect(found(xModeOf.bypassRoute, old)).toEqual([]);
});
