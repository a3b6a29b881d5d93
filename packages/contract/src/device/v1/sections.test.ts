import { expect, test } from "vitest";
import { z } from "zod";
import { canonicalJson } from "#contract/device/v1/canonical.ts";
import { stateLimits } from "#contract/device/v1/limits.ts";
import { maxSectionBytes } from "#contract/device/v1/messages.ts";
import { defineSection } from "#contract/device/v1/section.ts";
import { declarationOf, type SectionKind, sectionLimits } from "#contract/device/v1/sections.ts";
import { wireSchema } from "#contract/open-api/wire-schema.ts";

interface Json {
  readonly maxItems?: number;
  readonly items?: Json;
  readonly properties?: Readonly<Record<string, Json>>;
  readonly anyOf?: readonly Json[];
}

/** The highest number of entries that the schema at a path lets through. */
function maxItemsAt(path: string): number | undefined {
  const [kind = "", ...steps] = path.split(".");
  const start = wireSchema(declarationOf(kind as SectionKind).schema) as Json;
  const plain = (one: Json | undefined) =>
    one?.anyOf?.find(({ items, properties }) => items ?? properties) ?? one;
  let at: Json | undefined = start;
  steps.forEach((step, index) => {
    at = plain(at?.properties?.[step.replace("[]", "")]);
    if (index < steps.length - 1 && step.endsWith("[]")) at = at?.items;
  });
  return at?.maxItems;
}

test.each(Object.entries(sectionLimits))("%s has a limit in its schema", (path, decision) => {
  const max = maxItemsAt(path);
  if ("rows" in decision) expect(max).toBeGreaterThanOrEqual(stateLimits[decision.rows]);
  else expect(max).toBeGreaterThan(0);
});

/** The longest network there is as text. */
const longest = "2001:db8:ffff:ffff:ffff:ffff:ffff:0/128";
const many = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);

test("no section is larger than a message, as full as rows can make it", () => {
  const links = 65_535 - 51_820 + 1;
  const neighbor = {
    linkId: 2 ** 40,
    interfaceName: "wl1099511627776",
    preference: 1_000,
    client: true,
    address4: "169.254.255.255",
    address6: "fdff:ffff:ffff:ffff::ffff",
    accept: [],
  };
  const rule = {
    action: "accept",
    protocol: "icmpv6",
    mac: "ff:ff:ff:ff:ff:ff",
    source: longest,
    target: longest,
    sourcePort: "65534-65535",
    targetPort: "65534-65535",
  };
  const lan = {
    interfaceName: "wl1099511627776",
    vlan: 4_094,
    network: longest,
    addresses: [longest, longest],
    direct: false,
    forward: false,
    central: false,
    translated: false,
    ipv6: { slot: 4, subnet: 65_535 },
  };
  const peer = {
    id: 2 ** 40,
    publicKey: "A".repeat(44),
    address: longest,
    down: 1e13,
    up: 1e13,
    until: Date.now(),
  };
  const route = { destination: longest, nextHop: longest, metric: 255 };
  const full = {
    // A site has at most four links with a POP, and the POP accepts its networks on each.
    routing: [many(links, neighbor), many(4 * stateLimits.spaceNetworks, longest)],
    firewall: many(stateLimits.aclRules, rule),
    // Beside its values, networks of a LAN section: two each, those of static routes and of notices.
    underlay: [
      many(stateLimits.lanSegments, lan),
      many(2 * stateLimits.lanSegments + stateLimits.staticRoutes, longest),
      many(stateLimits.lanNotices, longest),
    ],
    client: many(stateLimits.clientPeers, peer),
    static: many(stateLimits.staticRoutes, route),
    space: many(stateLimits.spaceNetworks, longest),
  };
  const bytes = Object.values(full).map((one) => Buffer.byteLength(canonicalJson(one)));
  expect(Math.max(...bytes)).toBeLessThan(maxSectionBytes);
});

test("a declaration names every field and list of its schema, and no other", () => {
  const schema = z.strictObject({ items: z.array(z.strictObject({ id: z.int() })) });
  const items = {
    list: { kind: "item", key: ["id"] },
    removal: "policy",
    restored: "past",
  } as const;
  const limits = { items: { follows: "there is one" } } as const;
  const whole = { occurs: "optional", limits, fields: { items } } as const;
  expect(defineSection(schema, whole).schema).toBe(schema);
  // @ts-expect-error a field that the declaration lacks
  defineSection(schema, { ...whole, fields: {} });
  // @ts-expect-error a list without a limit
  defineSection(schema, { ...whole, limits: {} });
  // @ts-expect-error a field that the schema does not have
  defineSection(schema, { ...whole, fields: { items, others: items } });
  // @ts-expect-error a list that the schema does not have
  defineSection(schema, { ...whole, limits: { ...limits, others: limits.items } });
  const unknownKey = { ...items, list: { kind: "item", key: ["name"] } } as const;
  // @ts-expect-error a key that members of the list do not have
  defineSection(schema, { ...whole, fields: { items: unknownKey } });
  // @ts-expect-error what is of a space stays as it is
  defineSection(schema, { ...whole, occurs: "perSpace", list: "items" });
});
