import {
  closedNetworks,
  divertedBy,
  networksBehindLines,
} from "@weft/contract/device/v1/spaces.ts";
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { describe, expect, it } from "vitest";
import { cpeState, lanSection } from "../../test/states.ts";

const base = cpeState();
const [line] = base.underlay.lines;
if (!line) throw new Error("a line is needed");
const lines = [{ ...line, addressing: "static" as const, ip: "198.51.100.2/24" }];
const leased = [{ ...line, addressing: "dhcp" as const, ip: null, gateway: null }];
const lans = [lanSection("lan0", ["10.1.1.1/24"])];
const withRoutes = (
  routes: [string, string][],
  on = lines,
  announce = ["10.6.0.0/16"],
): DesiredState => ({
  ...base,
  underlay: { lines: on, lans },
  static: {
    routes: routes.map(([destination, nextHop]) => ({ destination, nextHop, metric: 1 })),
  },
  routings: base.routings.map((routing) => ({ ...routing, announce })),
  spaces: [{ spaceId: 1, netns: null, networks: ["10.1.2.0/24", "10.6.0.0/16"] }],
});

describe("networksBehindLines", () => {
  it.each([
    ["a next hop on a line", lines, [["10.6.0.0/16", "198.51.100.9"]], ["10.6.0.0/16"]],
    ["one in a LAN", lines, [["10.6.0.0/16", "10.1.1.9"]], []],
    [
      "one that is nowhere, with a lease to come",
      leased,
      [["10.6.0.0/16", "203.0.113.9"]],
      ["10.6.0.0/16"],
    ],
    ["one in a LAN, with a lease to come", leased, [["10.6.0.0/16", "10.1.1.9"]], []],
    ["one of another site, with a lease to come", leased, [["10.6.0.0/16", "10.1.2.9"]], []],
    [
      "one behind a router of the LAN, with a lease to come",
      leased,
      [
        ["10.7.0.0/16", "10.1.1.9"],
        ["10.6.0.0/16", "10.7.0.1"],
      ],
      [],
    ],
  ] as [string, typeof lines, [string, string][], string[]][])("%s", (_name, on, routes, found) =>
    expect(networksBehindLines(withRoutes(routes, on))).toEqual(found),
  );

  it("has the network of a line only where the site announces it", () => {
    const [routing] = base.routings;
    const state = withRoutes([]);
    const announcing = routing && {
      ...state,
      routings: [{ ...routing, announce: ["198.51.100.0/24"] }],
    };
    expect(networksBehindLines(state)).toEqual([]);
    expect(announcing && networksBehindLines(announcing)).toEqual(["198.51.100.0/24"]);
  });
});

describe("a static route by a line", () => {
  const routes: [string, string][] = [
    ["10.1.2.0/24", "198.51.100.9"],
    ["10.1.2.128/25", "198.51.100.9"],
    ["10.6.7.0/24", "198.51.100.9"],
    ["10.1.2.64/26", "10.1.1.9"],
    ["10.0.0.0/8", "198.51.100.9"],
    ["0.0.0.0/0", "198.51.100.9"],
    ["fd57:9::/64", "2001:db8::1"],
  ];
  const lines6 = [{ ...(lines[0] ?? line), ip: "2001:db8::2/64", slot: 2 }];
  const state = withRoutes(routes, [...lines, ...lines6] as typeof lines);
  const all = { spaceId: 1, netns: null, networks: ["10.1.2.0/24", "10.6.0.0/16", "fd57:9::/48"] };
  const diverted = (of: DesiredState) => of.static.routes.map(divertedBy(of));

  it("never takes a network out that another site has, nor a part of one", () => {
    const closed = { ...state, spaces: [all] };
    expect(diverted(closed)).toEqual([
      "10.1.2.0/24",
      "10.1.2.0/24",
      null,
      null,
      null,
      null,
      "fd57:9::/48",
    ]);
    expect(networksBehindLines(closed)).toEqual(["10.6.7.0/24", "10.0.0.0/8", "0.0.0.0/0"]);
  });

  it("takes none out while the site announces none", () => {
    expect(diverted({ ...state, spaces: [all], routings: [] })[2]).toBe("10.6.0.0/16");
  });
});

describe("closedNetworks", () => {
  it("distinguishes namespaces and leaves defaults out", () => {
    const spaces = [
      { spaceId: 1, netns: null, networks: ["10.1.2.1/24", "0.0.0.0/0", "128.0.0.0/1"] },
      { spaceId: 2, netns: null, networks: ["10.1.2.0/24", "::/0", "fd57::/32"] },
      { spaceId: 3, netns: "weft-s3", networks: ["10.9.0.0/16"] },
    ];
    expect([...closedNetworks({ ...base, spaces })]).toEqual([
      [null, ["10.1.2.0/24", "fd57::/32"]],
      ["weft-s3", ["10.9.0.0/16"]],
    ]);
  });
});
