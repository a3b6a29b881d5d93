import type { PolicyRoute } from "@weft/contract/device/v1/policy.ts";
import { describe, expect, it } from "vitest";
import { type PolicyRouteContext, policyRouteParts } from "./policy-routes.ts";

const context: PolicyRouteContext = {
  lines: [
    { slot: 1, interfaceName: "wan1" },
    { slot: 2, interfaceName: "wan2" },
  ],
  hosts: ['iifname "lan0" '],
  lans: ["lan0"],
  reserved: [],
  kept: ["10.0.0.0/24", "10.7.0.0/16", "fd57:1:2::/64"],
};
const route = (given: Partial<PolicyRoute>): PolicyRoute => ({
  id: 3,
  sources: null,
  targets: null,
  time: null,
  slots: [],
  nat: true,
  ...given,
});
const partsOf = (one: PolicyRoute | null, change: Partial<PolicyRouteContext> = {}) =>
  policyRouteParts(
    { sets: [], limits: [], ...(one && { routes: [one] }) },
    { ...context, ...change },
  );
/** Rules of a chain, its hook left out. */
const rulesOf = ({ chains }: ReturnType<typeof partsOf>, name: string): string[] =>
  chains
    .flatMap((text) => text.match(new RegExp(`chain ${name} \\{\\n[^]*?(?=\\n  \\})`)) ?? [])
    .flatMap((text) => text.split("\n").slice(1))
    .map((line) => line.trim())
    .filter((line) => !line.startsWith("type "));
const near = ["ip daddr @s_near4", "ip6 daddr @s_near6"];

describe("networks of the site and its space", () => {
  it.each([
    ["a WAN link", route({ slots: [1] })],
    ["several WAN links", route({ slots: [1, 2] })],
    ["a next hop in a LAN", route({ hop: { address: "10.0.0.254", interfaceName: "lan0" } })],
    ["another destination", route({ destination: "10.0.0.254" })],
    ["targets", route({ slots: [1], targets: 9 })],
  ])("keep their way from a route to %s, also where a foreign route leads them out", (_, one) => {
    const parts = partsOf(one);
    const path = rulesOf(parts, "c_path");
    const asked = path.findIndex((line) => /c_routes$|c_elsewhere$/.test(line));
    const kept = near.map((match) => path.indexOf(`${match} accept`));
    expect(Math.min(...kept)).toBeGreaterThan(0);
    expect(Math.max(...kept)).toBeLessThan(asked);
    expect(parts.sets.map(({ text }) => text)).toEqual([
      expect.stringContaining("10.7.0.0/16"),
      expect.stringContaining("fd57:1:2::/64"),
    ]);
  });

  it("end flows that a route took elsewhere before they were near", () => {
    expect(rulesOf(partsOf(route({ slots: [2] })), "c_kept").slice(0, 2)).toEqual(
      near.map((match) => `${match} goto c_lost`),
    );
  });

  it("are not listed where no route is left: what WAN links still carry is checked where it leaves", () => {
    const parts = partsOf(null);
    expect([parts.sets, rulesOf(parts, "c_kept").join().includes("s_near")]).toEqual([[], false]);
    expect(rulesOf(parts, "c_kept")).toContain("meta mark 0x0 goto c_lost");
  });

  it("are named by no rule where the state does not list them", () => {
    const parts = partsOf(route({ slots: [1], targets: 9 }), { kept: null });
    expect(`${parts.chains.join("\n")}${parts.sets.length}`).not.toMatch(
      /s_near|c_elsewhere|[1-9]$/,
    );
  });
});
