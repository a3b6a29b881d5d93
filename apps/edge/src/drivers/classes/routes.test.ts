import { describe, expect, it } from "vitest";
import { type ClassContext, classRoutes, parseOffered } from "./routes.ts";

const link = (id: number, preference: number) => ({
  id,
  interfaceName: `wl${id}`,
  preference,
  peer: { 4: `10.255.${id}.0`, 6: `fd00:${id}::` },
});
const bgp = (network: string, interfaceName: string) => ({
  network,
  protocol: "186",
  interfaceName,
});
const both = [
  { link: 1, preference: 3_200 },
  { link: 2, preference: 3_190 },
];
const context: ClassContext = {
  family: 4,
  offered: new Map([
    ["10.1.0.0/16", both],
    ["10.2.0.0/16", [{ link: 1, preference: 3_200 }]],
  ]),
  main: [bgp("10.1.0.0/16", "wl1"), bgp("10.2.0.0/16", "wl1")],
  links: [link(1, 200), link(2, 190)],
  ranks: new Map([[1, 1]]),
  quiet: new Set(),
  pins: false,
};
const hop = { gateway: "10.255.2.0", interfaceName: "wl2" };

describe("routes of a class", () => {
  it("are exceptions: networks that the other link's end offers", () => {
    expect(classRoutes(context)).toEqual([{ network: "10.1.0.0/16", hop }]);
    expect(classRoutes({ ...context, ranks: new Map() })).toEqual([]);
  });

  it("do not lead into a silent link", () => {
    expect(classRoutes({ ...context, quiet: new Set([2]) })).toEqual([]);
  });

  it("leave more special networks, and what BGP does not lead, as they are", () => {
    const main = [
      ...context.main,
      { network: "10.1.5.0/24", protocol: "2", interfaceName: "lan0" },
      { network: "0.0.0.0/0", protocol: "99", interfaceName: "wan1" },
      { network: "10.3.0.0/16", protocol: "196", interfaceName: "wl1" },
    ];
    const offered = new Map([...context.offered, ["10.3.0.0/16", both] as const]);
    expect(classRoutes({ ...context, main, offered })).toEqual([
      { network: "10.1.5.0/24", hop: null },
      { network: "10.1.0.0/16", hop },
    ]);
  });

  it("go to a device that stands by only where nothing else leads", () => {
    const standby = [both[0], { link: 2, preference: 0 }].filter((one) => one !== undefined);
    expect(classRoutes({ ...context, offered: new Map([["10.1.0.0/16", standby]]) })).toEqual([]);
  });

  it("are there before other traffic leaves the link that they stay on", () => {
    const stays = { ...context, ranks: new Map(), pins: true };
    expect(classRoutes(stays).map((classRoute) => classRoute.hop?.interfaceName)).toEqual([
      "wl1",
      "wl1",
    ]);
  });

  it("are made of what FRR shows", () => {
    const shown = {
      routes: {
        "10.1.0.0/16": [
          { valid: true, bestpath: true, locPrf: 3_200, peerId: "10.255.1.0" },
          { valid: true, locPrf: 3_190, peerId: "10.255.2.0" },
          { peerId: "10.255.1.0" },
          { valid: true, peerId: "192.0.2.1" },
        ],
      },
    };
    const links = new Map([
      ["10.255.1.0", 1],
      ["10.255.2.0", 2],
    ]);
    expect([...parseOffered(JSON.stringify(shown), links)]).toEqual([["10.1.0.0/16", both]]);
    expect([...parseOffered("{}", links)]).toEqual([]);
  });
});
