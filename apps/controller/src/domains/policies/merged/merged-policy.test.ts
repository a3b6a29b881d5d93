import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergePolicy, type PolicyRows, type PolicyValues, policyLevels } from "./merged-policy.ts";

const idsOf = (merged: ReturnType<typeof mergePolicy>, family: string): string[] =>
  (merged.objects.get(family) ?? []).map(({ level, id }) => `${level} ${id}`);
const row = (id: number, values: object = {}): PolicyValues => ({ id, ...values });

describe("rules of a node and of its template", () => {
  const template = {
    routerUrlrule: [
      row(1, { enable: true, sort: null }),
      row(2, { enable: true, sort: 2 }),
      row(3, { enable: true, sort: 1 }),
      row(4, { enable: false, sort: 0 }),
    ],
  };

  test("are tried in the order of their places, those without one last, the node's first", () => {
    const node = { routerUrlrule: [row(9, { enable: true, sort: 7 })] };
    const merged = mergePolicy({ node, template });
    expect(idsOf(merged, "routerUrlrule")).toEqual([
      "node 9",
      "template 3",
      "template 2",
      "template 1",
    ]);
    expect(merged.replaced).toEqual([]);
  });

  test("request nothing while they are disabled", () => {
    const off = { routerUrlrule: template.routerUrlrule.filter(({ enable }) => !enable) };
    const merged = mergePolicy({ node: {}, template: off });
    expect([...merged.objects]).toEqual([]);
  });
});

describe("a group of the node", () => {
  const template = {
    routerIpgroup: [row(1, { name: "guests" }), row(2, { name: "tills" })],
    routerIpgroupdefine: [
      row(1, { name: "a", ipgroupId: 1, ip: "10.0.0.1" }),
      row(2, { name: "b", ipgroupId: 2, ip: "10.0.0.2" }),
    ],
    routerUrlrule: [row(1, { enable: true, sort: 1, ipgroupId: 1, timeId: null })],
  };
  const node = {
    routerIpgroup: [row(1, { name: "guests" })],
    routerIpgroupdefine: [row(7, { name: "c", ipgroupId: 1, ip: "10.9.0.1" })],
  };
  const merged = mergePolicy({ node, template });

  test("replaces the template's of the same name with its entries", () => {
    expect(idsOf(merged, "routerIpgroup")).toEqual(["node 1", "template 2"]);
    expect(idsOf(merged, "routerIpgroupdefine")).toEqual(["node 7", "template 2"]);
    expect(merged.replaced.map(({ family, id }) => `${family} ${id}`)).toEqual([
      "routerIpgroup 1",
      "routerIpgroupdefine 1",
    ]);
  });

  test("is what a rule of the template means by that name", () => {
    const [rule] = merged.objects.get("routerUrlrule") ?? [];
    expect(rule && merged.named(rule, "ipgroupId")).toMatchObject({ level: "node", id: 1 });
    expect(rule && merged.named(rule, "timeId")).toBeNull();
    const [entry] = merged.objects.get("routerIpgroupdefine") ?? [];
    expect(entry && merged.named(entry, "ipgroupId")).toMatchObject({ level: "node", id: 1 });
  });
});

test("a line is that of its position, whatever it is called; a LAN is that of its name", () => {
  const wan = { kind: "wan", accessposition: 1 };
  const merged = mergePolicy({
    node: {
      routerInterfaceline: [row(1, { ...wan, name: "own" }), row(2, { kind: "lan", name: "1" })],
    },
    template: {
      routerInterfaceline: [
        row(1, { ...wan, name: "telecom" }),
        row(2, { ...wan, accessposition: 2, name: "own" }),
        row(3, { kind: "lan", name: "1" }),
      ],
    },
  });
  expect(idsOf(merged, "routerInterfaceline")).toEqual(["node 1", "node 2", "template 2"]);
  // A LAN that is called as a position is none of it.
  const called = mergePolicy({
    node: { routerInterfaceline: [row(2, { kind: "lan", name: "1" })] },
    template: { routerInterfaceline: [row(1, { ...wan, name: "telecom" })] },
  });
  expect(idsOf(called, "routerInterfaceline")).toEqual(["node 2", "template 1"]);
});

test("a port that a node has from the start gives way to the template's; one that was set does not", () => {
  const card = (id: number, netcard: string, more: object = {}) =>
    row(id, { netcard, enable: true, vlan: null, mtu: null, ...more });
  const node = {
    routerInterface: [card(1, "lan1"), card(2, "lan2", { mtu: 1_400 }), card(3, "lan3")],
  };
  const template = {
    routerInterface: [card(1, "lan1", { vlan: 7 }), card(2, "lan2", { vlan: 7 })],
  };
  const merged = mergePolicy({ node, template });
  expect(idsOf(merged, "routerInterface")).toEqual(["node 2", "node 3", "template 1"]);
  expect(merged.replaced).toMatchObject([{ level: "template", id: 2 }]);
  expect(mergePolicy({ node, template: {} }).objects.get("routerInterface")).toHaveLength(3);
});

test("a neighbour that the node has switched off takes the template's away", () => {
  const neighbour = { neighborIp: "10.1.0.1" };
  const merged = mergePolicy({
    node: { routerBgp: [row(1, { ...neighbour, enable: false })] },
    template: { routerBgp: [row(2, { ...neighbour, enable: true })] },
  });
  expect(idsOf(merged, "routerBgp")).toEqual([]);
  expect(merged.replaced).toMatchObject([{ level: "template", id: 2 }]);
});

test("every row of any content is requested, disabled or replaced exactly once, together with its parent", () => {
  const few = fc.integer({ min: 1, max: 4 });
  const anyRow = fc.record({
    enable: fc.boolean(),
    sort: fc.option(few),
    name: fc.constantFrom("a", "b", "c"),
    kind: fc.constantFrom("wan", "lan"),
    accessposition: few,
    netcard: fc.constantFrom("eth0", "eth1"),
    ipgroupId: few,
    dnsgroupId: few,
    urlgroupId: few,
    refId: few,
  });
  const rows = fc.record(
    Object.fromEntries(
      policyFamilies.map(({ name }) => [
        name,
        fc.array(anyRow, { maxLength: 4 }).map((found) => found.map((one, at) => row(at + 1, one))),
      ]),
    ),
  ) as fc.Arbitrary<PolicyRows>;
  fc.assert(
    fc.property(rows, rows, (node, template) => {
      const levels = { node, template };
      const { objects, replaced, named } = mergePolicy(levels);
      const handle = (family: string, level: string, id: unknown) => `${family} ${level} ${id}`;
      const asked = new Set(
        [...objects.values()]
          .flat()
          .map((object) => handle(object.family, object.level, object.id)),
      );
      const gone = new Set(replaced.map((one) => handle(one.family, one.level, one.id)));
      expect(replaced.every(({ level }) => level === "template")).toBe(true);
      for (const { name, spec } of policyFamilies) {
        for (const level of policyLevels) {
          for (const values of levels[level][name] ?? []) {
            const own = handle(name, level, values.id);
            expect(asked.has(own) && gone.has(own)).toBe(false);
            const isOff = spec.canBeOff === true && values.enable === false;
            const { merge } = spec;
            const parent =
              merge.by === "parent" &&
              handle(spec.references?.[merge.field] ?? "", level, values[merge.field]);
            const isUnset =
              level === "node" && merge.by === "key" && merge.isUnset?.(values) === true;
            if (isUnset) continue;
            const isOrphan = parent !== false && !asked.has(parent);
            expect(asked.has(own) || gone.has(own)).toBe(gone.has(own) || !(isOff || isOrphan));
          }
        }
        for (const one of objects.get(name) ?? []) {
          if (spec.merge.by === "parent") expect(named(one, spec.merge.field)).not.toBeNull();
        }
      }
    }),
    { numRuns: 300 },
  );
});
