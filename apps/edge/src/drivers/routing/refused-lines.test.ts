import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { describe, expect, it } from "vitest";
import { ObjectsRefused } from "#drivers/refusals.ts";
import { part, section } from "../../../test/routing-part.ts";
import { missingFrom, pickRouting, rootsOf } from "./plan.ts";
import { blamed, parseRefused, throwRefused } from "./refused-lines.ts";
import { numberedText, type RoutingPart, renderRouting } from "./render.ts";

const neighbor = {
  id: 1,
  interfaceName: "lan0",
  address: "10.1.1.2",
  asn: 64_900,
  neighborAsn: 64_901,
  holdTime: null,
  networks: [],
  password: null,
};
const lan = { id: 4, interfaceName: "lan0", area: "0.0.0.9", cost: null, hello: null, dead: null };
const routers: Partial<RoutingPart> = {
  statics: [{ destination: "10.9.0.0/16", nextHop: "10.1.1.9", metric: 0 }],
  site: {
    spaceId: 5,
    neighbors: [neighbor, { ...neighbor, address: "10.1.1.3", networks: ["10.4.0.0/16"] }],
    unopened: [],
    interfaces: [lan],
    sent: [],
    accept: ["10.3.0.0/16"],
    lans: ["10.1.1.0/24"],
  },
};

/** What is left out where FRR refuses the lines that fit, as its programs print that (seen with 8.4). */
const refusedOf = (wanted: RoutingPart, ...refused: readonly RegExp[]) => {
  const { text, sources } = numberedText(renderRouting(wanted));
  const output = text
    .split("\n")
    .flatMap((line, at) =>
      refused.some((one) => one.test(line))
        ? [
            "% Can not configure the local system as neighbor",
            `line ${at + 1}: Failure to communicate[13] to bgpd, line: ${line}`,
            "",
          ]
        : [],
    );
  const reasons = blamed(parseRefused(output.join("\n")), sources);
  const roots = rootsOf([...reasons.keys()]);
  try {
    throwRefused(new Map(roots.map((line) => [line, reasons.get(line) ?? ""])));
  } catch (error) {
    if (!(error instanceof ObjectsRefused)) throw error;
    return error.refused.map(
      ({ about: { section: at, kind, object } }) => `${at} ${kind} ${object}`,
    );
  }
  return [];
};

describe("the objects of lines that FRR refuses", () => {
  const wanted = part(routers);
  it.each<[string, readonly RegExp[], readonly string[]]>([
    ["a neighbour in a LAN", [/10\.1\.1\.2 /], ["site router 10.1.1.2"]],
    ["what one of them is sent", [/network 10\.4\./], ["site router 10.1.1.3"]],
    ["OSPF of a LAN", [/ip ospf area/], ["site router lan0"]],
    ["OSPF itself", [/^router ospf/, /ospf router-id/], ["site router lan0"]],
    ["a static route", [/^ip route 10\.9\./], ["static route 10.9.0.0/16"]],
    ["an announced network", [/network 10\.1\.1\.0/], ["routing.5 announce 10.1.1.0/24"]],
    ["its place in a filter", [/prefix-list s5-out .*fd57/], ["routing.5 announce fd57:1::/64"]],
    [
      "what a router may bring",
      [/prefix-list site-in .* permit 10\.3/],
      ["routing.5 announce 10.3.0.0/16"],
    ],
    ["BGP of a link", [/10\.255\.0\.0 /], ["tunnel.5.7 link wl7"]],
    ["the filter of a link", [/route-map wl7-in/], ["tunnel.5.7 link wl7"]],
    ["BGP of a space with all that is in it", [/./], []],
  ])("are of %s", (_what, refused, expected) => {
    if (expected.length > 0) expect(refusedOf(wanted, ...refused)).toEqual(expected);
    else
      expect(() => refusedOf(wanted, ...refused)).toThrow("bgp route-map delay-timer 1: Can not");
  });

  it("are of the space alone where its instance is refused, and nothing of it by itself", () => {
    const hub = section({ netns: "weft-s5", reflector: true });
    const other = section({ spaceId: 6, netns: "weft-s6", asn: 65_001 });
    const { text } = numberedText(renderRouting(part({ instances: [hub, other] })));
    const from = text.indexOf("router bgp 65000 vrf weft-s5");
    const block = text.slice(from, text.indexOf("router bgp 65001"));
    const lines = block.split("\n").filter((line) => !/^exit|^$/.test(line));
    const refused = lines.map((line) => new RegExp(`^${line}$`));
    const found = refusedOf(part({ instances: [hub] }), ...refused);
    expect(found).toEqual(["routing.5 space 5"]);
  });

  it("are of a network that is taken, for all links that take it", () => {
    const [first] = section().neighbors;
    if (!first) throw new Error("there is none");
    const neighbors = [7, 8].map((linkId) => ({
      ...first,
      linkId,
      interfaceName: `wl${linkId}`,
      address4: `10.255.0.${linkId}`,
      accept: ["10.6.0.0/16", "10.7.0.0/16"],
    }));
    const found = refusedOf(part({ instances: [section({ neighbors })] }), /permit 10\.6\./);
    expect(found).toEqual(["routing.5 accept 10.6.0.0/16"]);
  });

  it("are of segment routes and of exits of sites", () => {
    const segment = {
      id: 7,
      destination: "10.2.0.0/16",
      sources: [],
      kept: [],
      next: { mark: "198.18.0.9" },
      own: null,
    };
    const segments = [
      {
        spaceId: 5,
        netns: null,
        routes: [segment, { ...segment, id: 8, destination: "10.5.0.0/16" }],
      },
    ];
    expect(refusedOf(part({ segments }), /^ip route 10\.5\./)).toEqual([
      "segment.5 segment 10.5.0.0/16",
    ]);
    const group = {
      object: "saasGroup" as const,
      id: 3,
      exit: { mark4: "198.18.0.14", mark6: "fd57:ee::14" },
      members: [],
      names: [],
    };
    const { exits } = pickRouting({
      node: { routerId: "10.254.0.1", kind: "cpe" },
      underlay: { lans: [] },
      static: { routes: [] },
      firewall: { lan: [] },
      routings: [section()],
      tunnels: [],
      accelerations: [{ spaceId: 5, netns: null, sources: [], groups: [group], exit: null }],
    } as unknown as DesiredState);
    expect(refusedOf(part({ exits }), /^ipv6 route ::\/0/)).toEqual([
      "acceleration.5 acceleration saasGroup 3",
    ]);
  });

  it("are missing where FRR does not show a line, with the block that it is in", () => {
    const lines = renderRouting(wanted);
    const without = lines.filter(({ path, line }) => ![...path, line].includes("router bgp 65000"));
    const [root, ...others] = rootsOf(missingFrom(without, lines));
    expect([root?.line, others]).toEqual(["router bgp 65000", []]);
    expect(missingFrom(lines, lines)).toEqual([]);
  });
});

describe("what vtysh prints", () => {
  it("is read by line, with the error of the daemon or of vtysh", () => {
    const { lines, groups } = parseRefused(`% Specify remote-as or peer-group commands first
line 17: Failure to communicate[13] to bgpd, line:   neighbor 10.7.7.1 activate

line 33: % Unknown command[4]:  ip ospf hello-interval 10
line 35: Warning[1]...: something
`);
    expect([...lines]).toEqual([
      [16, "Specify remote-as or peer-group commands first"],
      [32, "% Unknown command[4]:  ip ospf hello-interval 10".replace(/^% /, "")],
    ]);
    expect(groups.size).toBe(0);
  });

  it("names commands that are refused together, whatever line that came with", () => {
    const { groups } = parseRefused(`% Configuration failed.

Error type: validation
Error description: Invalid prefix range for 10.1.0.0/16
The following commands were dynamically grouped into the same transaction and rejected:
- ip prefix-list x seq 5 permit 10.1.0.0/16 ge 8
- ip prefix-list x seq 6 permit 10.2.0.0/16
line 32: Failure to communicate[13] to zebra, line: interface lan0
`);
    expect([...groups]).toEqual([
      ["ip prefix-list x seq 5 permit 10.1.0.0/16 ge 8", "Invalid prefix range for 10.1.0.0/16"],
      ["ip prefix-list x seq 6 permit 10.2.0.0/16", "Invalid prefix range for 10.1.0.0/16"],
    ]);
  });
});
