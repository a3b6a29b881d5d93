/** Two devices of one site, as the states of both say it. */
import { standbyCapability } from "@weft/contract/device/v1/standby.ts";
import { describe, expect, test } from "vitest";
import { compile, type ViewNode } from "./compile.ts";
import type { ViewStandby } from "./standby-section.ts";

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
    section("lan1", "10.1.5.1/24", { network6: "fd00:1:5::1/64", ownAddress: "10.1.5.2" }),
    section("lan1", "10.1.4.1/25", { ownAddress: "10.1.4.2" }),
    section("lan2", "10.1.6.1/24"),
  ],
};
const able = [{ name: standbyCapability, can: true }];
const place: ViewStandby = { group: 7, role: "active", priority: 200, partnerCan: true };
const stateOf = (
  standby: ViewStandby | null,
  capabilities: typeof able | null = able,
  rivals: readonly string[] = [],
) =>
  compile({
    rivals,
    node: cpe,
    links: [],
    peers: new Map(),
    capabilities,
    ...(standby && { standby }),
  });
const addressesIn = (state: ReturnType<typeof stateOf>): string[] =>
  state.underlay.lans.flatMap(({ addresses }) => addresses);

const all = ["10.1.4.1/25", "10.1.5.1/24", "fd00:1:5::1/64", "10.1.6.1/24"];
const own = ["10.1.4.2/25", "10.1.5.2/24", "10.1.6.1/24"];

describe("a device in a standby group", () => {
  test("has addresses of its own in what it shares, and its gateways are whose turn it is", () => {
    const state = stateOf(place);
    expect(addressesIn(state)).toEqual(own);
    expect(state.standby).toEqual({
      group: 7,
      role: "active",
      priority: 200,
      lans: [
        {
          interfaceName: "lan1",
          own: "10.1.4.2/25",
          gateways: ["10.1.4.1/25", "10.1.5.1/24", "fd00:1:5::1/64"],
        },
      ],
    });
    // Who may send from where does not depend on whose turn it is.
    const access = ({ underlay }: typeof state) =>
      underlay.lans.map(({ addresses: _, ...others }) => others);
    expect(access(state)).toEqual(access(stateOf(null)));
  });

  test("does so as well while the other one never reported", () =>
    expect(stateOf({ ...place, partnerCan: null }).standby).toBeDefined());

  test.each([
    ["it cannot do it itself", able.map((one) => ({ ...one, can: false })), true],
    ["it never reported", null, true],
    ["the other one cannot do it", able, false],
  ])("has the gateways by its role alone where %s", (_what, capabilities, partnerCan) => {
    const active = stateOf({ ...place, partnerCan }, capabilities);
    const standby = stateOf({ ...place, role: "standby", partnerCan }, capabilities);
    expect([active.standby, standby.standby]).toEqual([undefined, undefined]);
    expect([addressesIn(active), addressesIn(standby)]).toEqual([all, own]);
  });

  test("has no part in a group that two others are", () => {
    const state = stateOf({ ...place, isBeyond: true });
    expect(state.standby).toBeUndefined();
    expect(addressesIn(state)).toEqual(all);
  });

  test("leaves a gateway to the device that has it where they do not stand for each other", () => {
    const rivals = ["10.1.5.1/24"];
    const left = ["10.1.4.1/25", "10.1.5.2/24", "10.1.6.1/24"];
    expect(addressesIn(stateOf(null, able, rivals))).toEqual(left);
    expect(addressesIn(stateOf({ ...place, isBeyond: true }, able, rivals))).toEqual(left);
  });

  test("has no standby section without a group, also when its LAN sections have standby settings", () => {
    expect(stateOf(null).standby).toBeUndefined();
    expect(addressesIn(stateOf(null))).toEqual(all);
  });
});
