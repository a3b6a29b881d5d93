import { describe, expect, it } from "vitest";
import { portRanges } from "./nft.ts";
import { type FoundRules, planFirewall } from "./plan.ts";
import { type MainRules, renderMain, renderSpace } from "./render.ts";

const rules = (change: Partial<MainRules> = {}): MainRules => ({
  wan: ["wan1", "wan2"],
  lan: [
    { interfaceName: "lan0", direct: true, forward: true },
    { interfaceName: "guest", direct: true, forward: false },
    { interfaceName: "core", direct: false, forward: true },
  ],
  tunnelPorts: [51_820],
  links: ["wl11", "wl9"],
  peers: [],
  sources: [],
  transit: false,
  closed: { networks: [], behindLines: [] },
  ...change,
});

const chainOf = (text: string, name: string): string =>
  new RegExp(`chain ${name} \\{([^]*?)\\n  \\}`).exec(text)?.[1] ?? "";

describe("portRanges", () => {
  it.each([
    [[5], "5"],
    [[7, 5, 6], "5-7"],
    [[5, 5, 7, 8, 20], "5, 7-8, 20"],
  ])("%j -> %s", (ports, text) => expect(portRanges(ports)).toBe(text));
});

describe("renderMain", () => {
  const text = renderMain(rules());
  it("keeps the table, so that sets which others fill survive", () => {
    expect(text.startsWith("add table inet weft\n")).toBe(true);
    expect(text).toContain("\nflush table inet weft\n");
    expect(text).not.toContain("delete table");
  });
  it("has nothing on output: no document cuts the device from its controller", () => {
    expect(text).not.toContain("hook output");
  });
  it("closes lines but for tunnels, ICMP and DHCP answers", () => {
    const wan = chainOf(text, "c_wan_in");
    expect(wan).toContain("udp dport { 51820 } accept");
    expect(wan).toContain("udp sport 67 udp dport 68 accept");
    expect(wan.trimEnd().endsWith("drop")).toBe(true);
  });
  it("lets out directly only who may, with the line's address", () => {
    const forward = chainOf(text, "c_forward");
    for (const name of ["lan0", "guest"]) {
      expect(chainOf(text, "c_nat")).toContain(
        `iifname "${name}" oifname { "wan1", "wan2" } masquerade`,
      );
      expect(forward).toContain(`iifname "${name}" oifname { "wan1", "wan2" } accept`);
    }
    expect(forward).not.toContain('iifname "core" oifname { "wan1"');
    expect(forward).toContain("policy drop");
  });
  it("lets into the space only who may, and never from a link out of a line", () => {
    const forward = chainOf(text, "c_forward");
    expect(forward).toContain('iifname "lan0" jump c_into_space');
    expect(forward).toContain('iifname "core" jump c_into_space');
    expect(forward).not.toContain('iifname "guest" jump');
    expect(chainOf(text, "c_into_space")).toContain("oifname @s_links accept");
    expect(forward).toContain("iifname @s_links jump c_from_link");
    const fromLink = chainOf(text, "c_from_link");
    expect(fromLink).toContain('oifname { "wan1", "wan2" } drop');
    expect(fromLink).toContain('oifname "lan0" accept');
    expect(fromLink).toContain('oifname "core" accept');
    expect(fromLink).not.toContain('oifname "guest"');
    expect(fromLink).not.toContain("oifname @s_links");
    expect(fromLink.trimEnd().endsWith("drop")).toBe(true);
  });
  it("distinguishes sections of one interface by their addresses", () => {
    const shared = renderMain(
      rules({
        lan: [
          { interfaceName: "lan0", networks: ["10.1.1.0/24"], direct: true, forward: true },
          {
            interfaceName: "lan0",
            networks: ["10.1.9.0/24", "fd00:9::/64"],
            direct: false,
            forward: false,
          },
        ],
      }),
    );
    const forward = chainOf(shared, "c_forward");
    expect(forward).toContain('iifname "lan0" ip saddr { 10.1.1.0/24 } jump c_into_space');
    expect(`${forward}${chainOf(shared, "c_nat")}`).not.toMatch(/10\.1\.9|fd00:9/);
    expect(shared).toContain('"lan0" . 10.1.1.0/24, "lan0" . 10.1.9.0/24');
  });
  it("does not take a wireless card for a link", () => {
    expect(text).not.toMatch(/"wl(?:[^\d"][^"]*)?\*"/);
    // What is called as a link is, and is none, is only kept from the device.
    expect(text.replace(chainOf(text, "c_input"), "")).not.toMatch(/"wl\d\*"/);
    expect(text).toContain('set s_links { type ifname; elements = { "wl11", "wl9" } }');
  });
  it("lets nothing of the space out of or in by a line, before anything is let through", () => {
    const closed = { networks: ["10.1.0.0/16", "fd57:1::/48"], behindLines: ["10.1.128.0/17"] };
    const shut = renderMain(rules({ closed }));
    expect(shut).toContain("elements = { 10.1.0.0-10.1.127.255 }");
    const forward = chainOf(shut, "c_forward").trim().split("\n");
    expect(forward.slice(2, 6).map((line) => line.trim())).toEqual([
      'oifname { "wan1", "wan2" } ip daddr @s_space4 counter name "h_space_line" drop',
      'iifname { "wan1", "wan2" } ip saddr @s_space4 counter name "h_line_space" drop',
      'oifname { "wan1", "wan2" } ip6 daddr @s_space6 counter name "h_space_line" drop',
      'iifname { "wan1", "wan2" } ip6 saddr @s_space6 counter name "h_line_space" drop',
    ]);
    expect(renderMain(rules({ closed, wan: [] }))).not.toContain("s_space");
  });
  it("passes from link to link only on a hub", () => {
    const hub = renderMain(rules({ transit: true }));
    expect(chainOf(hub, "c_from_link")).toContain("oifname @s_links accept");
  });
  it("evaluates for most packets only the chains that can match", () => {
    const [first, ...more] = chainOf(text, "c_source").trim().split("\n").slice(1);
    expect(first?.trim()).toBe('iifname != { "lan0", "guest", "core" } accept');
    expect(more.join("\n")).not.toContain("saddr {");
    const lan = { interfaceName: "lan0", networks: ["10.1.1.0/24"], direct: true, forward: true };
    const checked = chainOf(renderMain(rules({ lan: [lan] })), "c_source").split("\n");
    const right = checked.findIndex((line) => line.includes("ip saddr { 10.1.1.0/24 } accept"));
    expect(right).toBeGreaterThan(0);
    expect(checked.findIndex((line) => line.includes("h_source_lan"))).toBeGreaterThan(right);
    const [, clamped] = chainOf(text, "c_mss").trim().split("\n");
    expect(clamped?.trim()).toBe("tcp flags & (syn | rst) != syn accept");
  });
  it("renders without lines, LANs or ports", () => {
    const bare = renderMain(rules({ wan: [], lan: [], tunnelPorts: [] }));
    expect(bare).not.toContain("{  }");
    expect(bare).not.toContain("masquerade");
  });
});

describe("renderSpace", () => {
  it("knows links only, and does not track what it forwards", () => {
    expect(renderSpace()).toContain('iifname "wl*" oifname "wl*" accept');
    expect(renderSpace()).not.toContain("ct state");
  });
  it("bounds small packets where the rate of the device is known, before they are let through", () => {
    const bounds = { perSecond: 937, lines: [], narrowest: 1_420 };
    const lines = renderSpace(null, undefined, undefined, null, bounds).split("\n");
    const at = lines.findIndex((line) => line.includes("chain c_forward"));
    expect(lines.slice(at + 2, at + 5).map((line) => line.trim())).toEqual([
      "meta length <= 140 jump c_small",
      "meta length > 1420 ip frag-off & 0x4000 == 0x0 jump c_small",
      'iifname "wl*" oifname "wl*" accept',
    ]);
    expect(lines.join()).toContain("limit rate over 937/second");
    expect(renderSpace()).not.toContain("limit rate");
  });
});

describe("planFirewall", () => {
  const part = [{ netns: null, text: "A" }];
  const found = (change: Partial<FoundRules>): FoundRules[] => [
    { netns: null, loaded: { text: "A", listing: "a" }, listing: "a", ...change },
  ];
  it.each([
    ["as loaded", found({}), []],
    ["no table", found({ listing: null }), ["load rules of the device: there are none"]],
    [
      "a rule gone",
      found({ listing: "b" }),
      ["load rules of the device: the kernel's differ from those loaded"],
    ],
    [
      "another document",
      found({ loaded: { text: "B", listing: "a" } }),
      ["load rules of the device: the document changed"],
    ],
    [
      "after the loss of what was noted",
      found({ loaded: null }),
      ["load rules of the device: theirs are of unknown origin"],
    ],
  ])("%s", (_name, there, steps) => {
    expect(planFirewall(part, there).map(({ summary }) => summary)).toEqual(steps);
  });
  it.each([
    ["another document", found({ loaded: { text: "B", listing: "a" } }), false],
    ["a rule gone", found({ listing: "b" }), true],
    ["both together", found({ loaded: { text: "B", listing: "a" }, listing: "b" }), true],
    ["the table gone", found({ listing: null }), true],
    ["the first load", found({ loaded: null, listing: null }), false],
  ])("says whether others have changed what was loaded: %s", (_name, there, isDamaged) => {
    expect(planFirewall(part, there)).toMatchObject([{ kind: "load", isDamaged }]);
  });
  it("drops the table when nothing is wanted", () => {
    expect(planFirewall([], found({})).map(({ kind }) => kind)).toEqual(["drop"]);
    expect(planFirewall([], found({ listing: null }))).toEqual([]);
  });
});
