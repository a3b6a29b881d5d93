import type { StandbySection } from "@weft/contract/device/v1/standby.ts";
import { describe, expect, it } from "vitest";
import { cpeState, lanSection } from "../../../test/states.ts";
import { pickStandby, planStandby } from "./plan.ts";
import { gatewaysOf, supportedStandby } from "./supported-standby.ts";
import { holdMs, isWhole, placeOf, presentOf, Worth } from "./watch.ts";

const paths = { config: "/c", failed: "/f", pid: "/p", childPid: "/v" };
const lan = (interfaceName: string, net: number) => ({
  interfaceName,
  own: `10.1.${net}.2/24`,
  gateways: [`10.1.${net}.1/24`, `fd00:1:${net}::1/64`],
});
const section = (more: Partial<StandbySection> = {}): StandbySection => ({
  group: 7,
  role: "active",
  priority: 200,
  lans: [lan("lan0", 1)],
  ...more,
});
const stateWith = (standby: StandbySection) => ({ ...cpeState({ links: 2 }), standby });
const partOf = (standby = section()) => {
  const part = pickStandby(stateWith(standby), paths);
  if (part === null) throw new Error("it is alone");
  return part;
};
const own = { lan0: ["10.1.1.2/24"], wan1: ["192.0.2.2/24"] };
const present = (more: Record<string, string[]> = {}) =>
  presentOf(
    Object.fromEntries(
      Object.entries({ ...own, ...more }).map(([name, all]) => [
        name,
        all.map((cidr) => ({ cidr })),
      ]),
    ),
  );

describe("the configuration of VRRP", () => {
  it("gives a single LAN its gateways, of IPv6 with those of IPv4", () => {
    const { config } = partOf();
    expect(config).toContain("vrrp_instance lan0 {");
    expect(config).toContain("virtual_router_id 7");
    expect(config).toContain("mcast_src_ip 10.1.1.2");
    expect(config).toMatch(/virtual_ipaddress \{\s+10\.1\.1\.1\/24 dev lan0\s+\}/);
    expect(config).toMatch(/virtual_ipaddress_excluded \{\s+fd00:1:1::1\/64 dev lan0\s+\}/);
    expect(config).not.toContain("vrrp_sync_group");
    expect(config).not.toMatch(/notify|script/);
  });

  it("moves several LANs together", () => {
    const { config } = partOf(section({ lans: [lan("lan0", 1), lan("lan1", 2)] }));
    expect(config).toMatch(/vrrp_sync_group site \{\s+group \{\s+lan0\s+lan1\s+\}\s+track_file/);
    expect(config.match(/track_file \{/g)).toHaveLength(1);
  });

  it.each([
    [1, 2],
    [2, 2],
    [200, 200],
    [255, 254],
  ])("priority %i is %i there", (priority, there) =>
    expect(partOf(section({ priority })).config).toContain(`priority ${there}\n`),
  );
});

describe("the place of a device", () => {
  it("is by its addresses", () => {
    const gateways = ["10.1.1.1/24", "fd00:1:1::1/64"];
    expect(placeOf(partOf(), present({ lan0: [...own.lan0, ...gateways] }), false)).toBe("active");
    expect(placeOf(partOf(), present({ lan0: [...own.lan0, "10.1.1.1/24"] }), true)).toBe(
      "standby",
    );
    expect(placeOf(partOf(), present(), true)).toBe("standby");
    expect(placeOf(partOf(), present(), false)).toBe("fault");
  });
});

describe("whether a device is whole", () => {
  const verdicts = (...all: boolean[]) =>
    new Map(
      partOf()
        .links.slice(0, all.length)
        .map((id, at) => [id, all[at] === true]),
    );
  it.each([
    ["a link answers", present(), verdicts(false, true), true],
    ["no link answers", present(), verdicts(false, false), false],
    ["one is silent and the other not known", present(), verdicts(false), false],
    ["no link is known", present(), verdicts(), null],
    [
      "its line has no carrier",
      presentOf({ lan0: [{ cidr: "10.1.1.2/24" }] }),
      verdicts(true),
      false,
    ],
    ["its line has no address", present({ wan1: ["fe80::1/64"] }), verdicts(true), false],
    [
      "a LAN has no carrier",
      presentOf({ wan1: [{ cidr: "192.0.2.2/24" }] }),
      verdicts(true),
      false,
    ],
  ])("%s", (_what, there, all, whole) => expect(isWhole(partOf(), there, all)).toBe(whole));

  it("counts after a while, and ends at once", () => {
    const worth = new Worth();
    expect(worth.hasFailed(true, 0)).toBe(true);
    expect(worth.hasFailed(true, holdMs - 1)).toBe(true);
    expect(worth.hasFailed(true, holdMs)).toBe(false);
    expect(worth.hasFailed(null, holdMs + 1)).toBe(false);
    expect(worth.hasFailed(false, holdMs + 2)).toBe(true);
    expect(worth.hasFailed(true, holdMs + 3)).toBe(true);
    expect(worth.hasFailed(true, 2 * holdMs + 3)).toBe(false);
  });

  it("stays as an earlier run left it while nothing is known", () => {
    expect(new Worth(false).hasFailed(null, 0)).toBe(false);
    expect(new Worth(true).hasFailed(null, holdMs)).toBe(true);
  });
});

describe("what of it can act", () => {
  it("is nothing without the program, and only LANs that are there", () => {
    const state = stateWith(section({ lans: [lan("lan0", 1), lan("gone", 2)] }));
    const there = {
      ...state,
      underlay: {
        ...state.underlay,
        lans: [lanSection("lan0", ["10.1.1.2/24"])],
      },
    };
    const found: Parameters<typeof supportedStandby>[3] = [];
    expect(
      supportedStandby(there, () => null, null, found).standby?.lans.map(
        (one) => one.interfaceName,
      ),
    ).toEqual(["lan0"]);
    expect(found).toEqual([]);
    expect(supportedStandby(there, () => "not installed", null, found).standby).toBeUndefined();
    expect(supportedStandby(there, () => null, "its port is taken", found).standby).toBeDefined();
    expect(found.map(({ reason, params }) => [reason, params])).toEqual([
      ["noStandby", { why: "not installed" }],
      ["noStandby", { why: "its port is taken" }],
    ]);
    expect(gatewaysOf(state)).toHaveLength(4);
  });

  it("is started, started again when something else runs, and ended", () => {
    const part = partOf();
    const none = { running: null, config: null, isThere: false, failed: null };
    const kinds = (found: Partial<typeof none> & object, wanted: typeof part | null = part) =>
      planStandby(wanted, { ...none, ...found } as Parameters<typeof planStandby>[1]).map(
        ({ kind }) => kind,
      );
    expect(kinds({})).toEqual(["start"]);
    expect(kinds({ running: part.config, config: part.config } as never)).toEqual([]);
    expect(kinds({ running: "another", config: part.config } as never)).toEqual(["start"]);
    expect(kinds({ failed: part.config } as never)).toEqual([]);
    expect(kinds({ isThere: true }, null)).toEqual(["end"]);
    expect(kinds({}, null)).toEqual([]);
  });
});
