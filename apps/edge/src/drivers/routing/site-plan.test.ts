import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { describe, expect, it } from "vitest";
import { change, part, section, text } from "../../../test/routing-part.ts";
import { pickRouting, planRouting, withoutSecrets } from "./plan.ts";
import type { RoutingPart } from "./render.ts";
import { sessionCommands, silentOf } from "./sessions.ts";

const neighbor = {
  id: 3,
  interfaceName: "lan0",
  address: "10.1.1.2",
  asn: 64_900,
  neighborAsn: 64_901,
  holdTime: null,
  networks: [],
  password: null,
};
const site = (neighbors: readonly object[], accept = ["10.9.0.0/24"]): Partial<RoutingPart> => ({
  site: {
    spaceId: 5,
    neighbors: neighbors as [],
    unopened: [],
    interfaces: [],
    sent: [],
    accept,
    lans: [],
  },
});

describe("renderRouting of routers in LANs", () => {
  it("takes exactly what the site declares", () => {
    const shown = text(part(site([neighbor])));
    expect(shown).toMatch(
      /ip prefix-list site-in seq \d+ permit 10\.9\.0\.0\/24\nroute-map site-in permit 10\nmatch ip address prefix-list site-in\nset weight 40000\nexit\nroute-map site-in deny 65535/,
    );
    expect(shown).toContain("neighbor 10.1.1.2 route-map site-in in");
  });
  it("takes nothing where nothing is declared", () => {
    const shown = text(part(site([neighbor], [])));
    expect(shown).toContain("route-map site-in deny 65535");
    expect(shown).not.toContain("route-map site-in permit");
  });
  it("announces a default route only where configured, and none of the daemon's own", () => {
    expect(text(part(site([neighbor])))).not.toMatch(
      /default-originate|neighbor 10\.1\.1\.2 timers \d/,
    );
    const networks = ["0.0.0.0/0", "192.0.2.0/24", "10.1.1.0/24"];
    const shown = text(part(site([{ ...neighbor, asn: 65_000, holdTime: 30, networks }])));
    expect(shown).toContain("neighbor 10.1.1.2 default-originate");
    expect(shown).toContain("network 192.0.2.0/24");
    expect(shown).toContain("neighbor 10.1.1.2 timers 10 30");
    expect(shown).not.toContain("local-as");
  });
  it("filters received OSPF routes before any arrive, and announces configured ones only", () => {
    const lan = { id: 4, interfaceName: "lan0", area: "0.0.0.9", cost: 15, hello: 10, dead: 4 };
    const wanted: Partial<RoutingPart> = {
      site: {
        spaceId: 5,
        neighbors: [],
        unopened: [],
        interfaces: [lan],
        sent: ["connected", "bgp"],
        accept: ["10.9.0.0/24"],
        lans: ["10.1.1.0/24", "fd57:1::/64"],
      },
    };
    const shown = text(part(wanted));
    expect(shown.indexOf("ip protocol ospf route-map site-learned")).toBeGreaterThan(
      shown.indexOf("route-map site-learned deny 65535"),
    );
    expect(shown).toContain(
      "ip protocol ospf route-map site-learned\nip prefix-list site-lans seq 3757306334 permit 10.1.1.0/24\n",
    );
    expect(shown).toContain(
      "router ospf\nospf router-id 10.254.0.1\nredistribute connected route-map site-lans\nredistribute bgp route-map site-out\nexit\ninterface lan0\nip ospf cost 15\nip ospf dead-interval 4\nip ospf area 0.0.0.9\nexit",
    );
    // An interface of a machine is not removed, and its filter goes last.
    const { remove } = change(part(wanted), part());
    expect(remove).toContain("interface lan0\nno ip ospf cost 15\n");
    expect(remove).not.toContain("no interface");
    expect(remove.indexOf("no ip protocol")).toBeGreaterThan(remove.indexOf("no router ospf"));
  });
  it("shows who does not answer", () => {
    const lan = { id: 4, area: "0.0.0.0", cost: null, hello: null, dead: null };
    const [first, second] = ["lan0", "lan1"].map((interfaceName) => ({ ...lan, interfaceName }));
    const { site: routers } = site([neighbor, { ...neighbor, address: "10.1.1.3" }]);
    if (!routers || !first || !second) throw new Error("there are none");
    const wanted = part({ site: { ...routers, interfaces: [first, second] } });
    const peers = { "10.1.1.2": { state: "Established" }, "10.1.1.3": { state: "Active" } };
    const neighbors = {
      "1.1.1.1": [{ ifaceName: "lan1:10.1.2.1", nbrState: "Full/DR" }],
      "1.1.1.2": [{ ifaceName: "lan0:10.1.1.1", nbrState: "Init/DROther" }],
    };
    const shown = { bgp: JSON.stringify({ peers }), ospf: JSON.stringify({ neighbors }) };
    expect(silentOf(wanted, shown)).toEqual(["10.1.1.3", "lan0"]);
    expect(sessionCommands(part())).toEqual({ bgp: null, ospf: null });
  });
  it("derives the filter from what the site announces", () => {
    const announce = ["10.1.1.1/24", "fd57:1::1/64", "10.9.0.0/24", "0.0.0.0/0"];
    const state = {
      node: { routerId: "10.254.0.1", kind: "cpe" },
      underlay: { lans: [{ addresses: ["10.1.1.1/24"] }] },
      static: { routes: [] },
      firewall: { lan: [] },
      routings: [section({ announce })],
      site: { neighbors: [neighbor], interfaces: [], sent: [] },
    } as unknown as DesiredState;
    expect(pickRouting(state).site?.accept).toEqual(["10.9.0.0/24"]);
    expect(pickRouting({ ...state, routings: [] }).site).toBeNull();
  });
  it("establishes no session without the configured password", () => {
    const state = {
      node: { routerId: "10.254.0.1", kind: "cpe" },
      underlay: { lans: [] },
      static: { routes: [] },
      firewall: { lan: [] },
      routings: [section()],
      site: { neighbors: [{ ...neighbor, password: "sealed" }], interfaces: [], sent: [] },
    } as unknown as DesiredState;
    expect(pickRouting(state).site?.neighbors).toEqual([]);
    expect(silentOf(pickRouting(state), { bgp: null, ospf: null })).toEqual(["10.1.1.2"]);
    const opened = pickRouting(state, (sealed) => `${sealed}-opened`);
    expect(text(opened)).toContain("neighbor 10.1.1.2 password sealed-opened");
    const found = {
      daemons: "whole" as const,
      runsOspf: false,
      config: [],
      vrfs: new Map(),
      netns: [],
      missing: [],
      stale: [],
    };
    for (const { summary } of planRouting(opened, found)) expect(summary).not.toContain("opened");
    const [one, other] = [
      site([{ ...neighbor, password: "a" }]),
      site([{ ...neighbor, password: "b" }]),
    ];
    expect(change(part(one), part(other))).toEqual({
      add: "router bgp 65000\nneighbor 10.1.1.2 password b\nexit\n",
      remove: "\n",
    });
    expect(change(part(one), part(site([neighbor]))).remove).toContain(
      "no neighbor 10.1.1.2 password a",
    );
    expect(withoutSecrets("line 3: % Unknown: neighbor 10.1.1.2 password a b")).toBe(
      "line 3: % Unknown: neighbor 10.1.1.2 password *** b",
    );
  });
  it("changes a session in place, and removes one as a whole", () => {
    const [old, next] = [
      part(site([neighbor])),
      part(site([{ ...neighbor, asn: 64_999, holdTime: 9 }])),
    ];
    expect(change(old, next)).toEqual({
      add: "router bgp 65000\nneighbor 10.1.1.2 local-as 64999 no-prepend replace-as\nneighbor 10.1.1.2 timers 3 9\nexit\n",
      remove: "\n",
    });
    const { remove } = change(old, part());
    expect(remove).toContain("no neighbor 10.1.1.2\n");
    expect(remove).toContain("no route-map site-in deny 65535");
  });
});
