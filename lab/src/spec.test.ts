import { describe, expect, it } from "vitest";
import { cableOf, checkSpec, defaultLab, type LabSpec, twoTenantLab } from "./spec.ts";

const addressesOf = (spec: LabSpec, name: string) =>
  spec.nodes.find((node) => node.name === name)?.ports.map(({ addresses }) => addresses);

describe("the topology", () => {
  it("is sound, with one enterprise and with two", () => {
    expect(() => checkSpec(defaultLab())).not.toThrow();
    expect(() => checkSpec(twoTenantLab())).not.toThrow();
  });

  it("gives devices an address on wan1 and nothing else", () => {
    expect(addressesOf(twoTenantLab(), "cpe4")).toEqual([
      ["198.51.100.14/24", "2001:db8:a::14/64"],
      undefined,
      undefined,
    ]);
  });

  it("lets two enterprises use the same addresses", () => {
    const place = { addresses: ["10.0.0.100/24"], gateways: ["10.0.0.1"] };
    const spec = twoTenantLab({ hosta: place });
    expect(addressesOf(spec, "hosta")).toEqual([["10.0.0.100/24"]]);
    expect(addressesOf(spec, "hostc")?.[0]).toContain("10.0.0.100/24");
  });

  it("names the ends of a cable", () => {
    expect(cableOf(defaultLab(), "cpe1", "wan2")).toEqual({ at: "inet", far: "cpe1-wan2" });
    expect(cableOf(defaultLab(), "cpe1", "lan1")).toEqual({ at: "sw", far: "cpe1-lan1" });
    expect(() => cableOf(defaultLab(), "cpe9", "wan1")).toThrow(/no node cpe9; there are inet, /);
    expect(() => cableOf(defaultLab(), "cpe1", "wan3")).toThrow(/cpe1 has no port wan3/);
  });

  it.each<[string, RegExp, (spec: LabSpec) => LabSpec]>([
    ["a node twice", /node ctl exists twice/, (spec) => withNode(spec, "ctl", "eth0", "lana")],
    ["a cable to nowhere", /goes to lanx, no network/, (spec) => withNode(spec, "x", "e", "lanx")],
    [
      "a long name",
      /averylongone-eth0 is no name/,
      (spec) => withNode(spec, "averylongone", "eth0", "lana"),
    ],
    ["an odd name", /\.\. is no name for a node/, (spec) => withNode(spec, "..", "eth0", "lana")],
    [
      "a network nowhere",
      /network brz is at moon/,
      (spec) => ({
        ...spec,
        networks: [...spec.networks, { name: "brz", at: "moon", addresses: [] }],
      }),
    ],
  ])("refuses %s", (_, text, change) => {
    expect(() => checkSpec(change(defaultLab()))).toThrow(text);
  });
});

function withNode(spec: LabSpec, name: string, port: string, network: string): LabSpec {
  const ports = [{ name: port, network, mac: "02:00:00:99:00:01" }];
  return { ...spec, nodes: [...spec.nodes, { name, role: "host", ports }] };
}
