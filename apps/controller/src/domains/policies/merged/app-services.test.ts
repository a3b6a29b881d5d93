import { ownApplicationId } from "@weft/contract/rules/applications.ts";
import { expect, test } from "vitest";
import { servicesOf } from "./app-services.ts";
import { mergePolicy, type PolicyRows } from "./merged-policy.ts";

const own = (id: number, values: object = {}) => ({
  id,
  name: `own-${id}`,
  enable: true,
  sort: 1,
  l7pro: [],
  nPid: 0,
  protocol: "tcp",
  srcPort: null,
  dstPort: null,
  dstIp: null,
  ...values,
});
const services = (l7ids: readonly number[], rows: PolicyRows = {}) => {
  const merged = mergePolicy({
    node: { ...rows, routerAppgroup: [{ id: 1, name: "group", l7ids }] },
    template: {},
  });
  const [group] = merged.objects.get("routerAppgroup") ?? [];
  if (!group) throw new Error("no group");
  return servicesOf(merged, group).map(({ protocol, port, sourcePort, target }) =>
    [protocol, port ?? "*", sourcePort ?? "*", target ?? "*"].join(" "),
  );
};

test("an entry of the catalogue is its ports, a heading all below it, and each is there once", () => {
  expect(services([100])).toEqual(["tcp 80 * *", "tcp 8080 * *"]);
  expect(services([9, 901])).toEqual([
    "tcp 5222 * *",
    "tcp 1883 * *",
    "tcp 8883 * *",
    "tcp 5672 * *",
  ]);
});

test("an own protocol is its ports and addresses, with those that were added", () => {
  const node = { id: 3, refId: 7, kind: "node", name: "a", value: "10.9.0.0/16" };
  const domain = { id: 4, refId: 7, kind: "domain", name: "b", value: "example.com" };
  const rows = {
    routerProtocolex: [own(7, { dstPort: "8443", srcPort: "1024-65535", dstIp: "10.1.0.9" })],
    routerRuleCustom: [node, domain],
  };
  expect(services([ownApplicationId(7)], rows)).toEqual([
    "tcp 8443 1024-65535 10.1.0.9",
    "tcp 8443 1024-65535 10.9.0.0/16",
  ]);
});

test("an application that names catalogue entries matches these alone, also without a protocol", () => {
  const named = { routerProtocolex: [own(7, { l7pro: [401], protocol: "any" })] };
  expect(services([ownApplicationId(7)], named)).toEqual(["tcp 23 * *"]);
  expect(services([ownApplicationId(7)], { routerProtocolex: [own(7)] })).toEqual(["tcp * * *"]);
});

test("a protocol that is off, or of another level, is none", () => {
  expect(
    services([ownApplicationId(7)], { routerProtocolex: [own(7, { enable: false })] }),
  ).toEqual([]);
  expect(services([ownApplicationId(8)])).toEqual([]);
});
