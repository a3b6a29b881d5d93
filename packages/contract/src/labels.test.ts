/** Labels of the menu and names of resources, held against what was read out of the specification. */
import { describe, expect, test } from "vitest";
import { allResources } from "#contract/all-endpoints.ts";
import { menu } from "#contract/menu.ts";
import { policyFamilies } from "#domains/policies/policy-families.ts";
import type { MenuNode } from "#kernel/menu.ts";
import type { Message } from "#kernel/message.ts";
import entityList from "../spec/entities.json" with { type: "json" };
import routeList from "../spec/routes.json" with { type: "json" };

const flat = (nodes: readonly MenuNode[]): MenuNode[] =>
  nodes.flatMap((node) => [node, ...flat(node.children ?? [])]);
const labels = new Map(flat(menu).map(({ path, title }) => [path, title]));

/** Routes without an entry in the tree: pages before a login, files, and what no other route is. */
const outside = new Set(["/", "/login", "/forget", "./download.html", "/*"]);
/** Screens that the specification does not have. */
const additions = new Set([
  "/sdwan-system/enrolment",
  ...["", "/paths", "/traffic", "/applications", "/changes", "/logs"].map(
    (tab) => `/sdwan-system/cpe/site${tab}`,
  ),
  ...["", "/paths", "/traffic", "/changes", "/logs"].map((tab) => `/sdwan-system/pop/site${tab}`),
  "/sdwan-system/enterprisemanage/enterprise",
  "/sdwan-system/enterprisemanage/enterprise/overview",
  "/sdwan-system/enterprisemanage/enterprise/sites",
  "/sdwan-system/enterprisemanage/enterprise/customers",
  "/sdwan-system/enterprisemanage/enterprise/spaces",
  "/sdwan-system/enterprisemanage/enterprise/traffic",
  "/sdwan-system/enterprisemanage/enterprise/accounts",
  "/sdwan-system/enterprisemanage/enterprise/changes",
  "/business-system/overlay/trafficClass",
  "/business-system/objectgroup",
  "/devopsmonitor/alarm",
  "/devopsmonitor/alarmwindow",
  "/system/identityprovider",
  "/system/webhook",
  "/system/status",
]);

describe("labels of the menu", () => {
  const routes = routeList.routes.filter(({ path }) => !outside.has(path));

  test.each(routes.map((route) => [route.path, route] as const))(
    "%s is called as the specification calls it, in both languages",
    (path, { title_zh, title_en }) => {
      expect(labels.get(path)).toEqual([title_zh, title_en]);
    },
  );

  test("entries that are not listed are known additions", () => {
    const listed = new Set(routes.map(({ path }) => path));
    expect([...labels.keys()].filter((path) => !listed.has(path))).toEqual([...additions]);
  });
});

interface Entity {
  readonly id: string;
  readonly name_zh: string;
  readonly name_en: string;
  readonly calls?: string | null;
}
const entities: readonly Entity[] = entityList.entities;

/** Names that differ from the entity's, by the resource's name. */
const otherNames: Readonly<Record<string, string>> = {
  pop: "a POP is a node: the Chinese name needs no second noun",
  cpe: "a CPE is a device: the Chinese name needs no second noun",
  account: "the listed name explains itself in brackets; logs show the short form",
  comAudit: "says what is audited, as the label of its screen does",
  configItem: "a row is one value of the list",
  messageReceive: "the screen around it says of what",
  routerTemplate: "operation logs name templates of one kind only",
  xwanCircuit: "as carriers name it; the listed Chinese name is that of WAN links as well",
  vbrNode: "as the label of its screen; the listed name explains itself in brackets",
  vbrTable: "as the label of its screen",
  popGroup: "a group inside of a strategy",
  xwanSpeed: "as the menu's application acceleration",
  xwanSpeedDefine: "as the menu's application acceleration",
  routerIpgroupdefine: "a row is one entry of the table",
  routerDomains: "a row is one entry of the table",
  routerUrl: "a row is one entry of the table",
  routerProtocolex: "one of the two listed names",
  routerAppgroup: "written out",
  routerBandwidthpipe: "as the label of its section",
};

describe("names of resources", () => {
  const named: readonly (readonly [string, string, Message])[] = [
    ...Object.values(allResources).map(({ name, path, title }) => [name, path, title] as const),
    ...policyFamilies.map(({ name, spec }) => [name, name, spec.title] as const),
  ];
  const compared = named.flatMap(([name, call, title]) => {
    const entity = entities.find(({ calls }) => calls?.split(", ").includes(call));
    return entity ? [{ name, title, entity }] : [];
  });

  test("are compared for most of the resources", () => {
    expect(compared.length).toBeGreaterThan(40);
  });

  test.each(compared.map((resource) => [resource.name, resource] as const))(
    "%s is called as its entity, in both languages, or is a known exception",
    (name, { title, entity }) => {
      const [zh, en] = title;
      const isSame = zh === entity.name_zh && en.toLowerCase() === entity.name_en.toLowerCase();
      expect({ title, isSame }).toEqual({ title, isSame: !(name in otherNames) });
    },
  );
});
