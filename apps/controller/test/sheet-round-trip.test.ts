/**
 * One battery for every resource and every family of policy objects: what was exported is imported
 * unchanged, in both languages and as both kinds of file, and writes nothing.
 */
import { allResources, type ResourceName } from "@weft/contract/all-endpoints.ts";
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import { policyScopes } from "@weft/contract/kernel/policy-family.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import type { SheetFormat } from "@weft/contract/kernel/sheet.ts";
import type { SheetRule } from "@weft/contract/kernel/sheet-rule.ts";
import { makingOrder } from "@weft/contract/samples/making-order.ts";
import { ownerFieldsOf, sheetFields } from "@weft/contract/sheet-fields.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "./api.ts";
import { makePolicyRows, makeTemplate, type OwnerInput } from "./policy-world.ts";
import {
  exportFile,
  type FileOf,
  type Imported,
  imported,
  sendFile,
  tableOf,
  templateFile,
} from "./sheet-files.ts";
import { distinctDraft, makeTenant, newIdOf, type Tenant } from "./tenants.ts";

let api: TestApi;
let [home, other] = [] as unknown as [Tenant, Tenant];
let owners: Record<"template" | "manage", OwnerInput>;

const names: readonly ResourceName[] = ["enterprise", ...makingOrder];
const ruleOf = (name: ResourceName): SheetRule => allResources[name].sheet;
const travelling = names.filter((name) => !("none" in ruleOf(name)));
/** Both scopes have one code: families take turns. */
const families = policyFamilies.map((family, place) => {
  const scope = policyScopes[place % 2] ?? "manage";
  return [family[scope].resource.name, scope] as const;
});
/** So do kinds of file. */
const formatOf = (name: ResourceName): SheetFormat =>
  travelling.indexOf(name) % 2 === 0 ? "xlsx" : "csv";

beforeAll(async () => {
  api = await testApi();
  const admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  other = await makeTenant(api, admin, "other");
  for (const name of names) await makeRows(name);
  owners = {
    template: { templateId: await makeTemplate(api, home.token) },
    manage: { cpeId: home.ids.cpeId },
  };
  for (const scope of policyScopes) {
    await makePolicyRows(api, [home.token], scope, owners[scope]);
  }
}, 120_000);
afterAll(() => api.close());

/** Rows of a resource beside those of the tenant. */
async function makeRows(name: ResourceName): Promise<void> {
  const resource: AnyResource = allResources[name];
  for (const number of [1, 2]) {
    const mark = {
      name: `${name.replace(".", "-")}-${number}`,
      latin: `${name.replace(".", "-")}-${number}`,
      number,
    };
    const draft = distinctDraft(name, home.ids, mark);
    const slot = name === "line" ? { slot: number + 1, interfaceName: `wan${number}` } : {};
    const answer = await api.post(resource.ops.add.path, { ...draft, ...slot }, home.token);
    // Of what there is one, there is one.
    if (number === 1) newIdOf(answer);
  }
}

const insideOf = (resource: AnyResource): object => {
  const [field] = ownerFieldsOf(resource);
  if (field === undefined) return {};
  const name = resource.name as ResourceName;
  const draft = distinctDraft(name, home.ids, { name: "a", latin: "a", number: 9 });
  return { [field]: draft[field] };
};

async function audited(): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from audit
    where action <> 'sheet.export'`.execute(api.database.pools.apiAll.db);
  return rows[0]?.n ?? 0;
}

/** Exports in one language and imports as a reader of the other, who lives elsewhere. */
async function roundTrip(of: FileOf, format: SheetFormat): Promise<void> {
  const before = await audited();
  const [written, read] =
    format === "csv" ? (["zh-CN", "en"] as const) : (["en", "zh-CN"] as const);
  const file = await exportFile(api, { ...of, language: written }, format);
  const trip = { ...of, language: read, zone: "America/New_York" };
  const checked = await imported(api, trip, file, { mode: "change", check: 1 });
  expect(checked.rows.filter(({ state }) => state !== "unchanged")).toEqual([]);
  expect(checked.counts.unchanged).toBeGreaterThan(0);
  expect(checked.unknown).toEqual([]);
  const done = await imported(api, trip, file, { mode: "change", plan: checked.plan });
  expect(done).toMatchObject({ done: true, counts: { new: 0, changed: 0 } });
  expect(await audited()).toBe(before);
}

/** As another tenant reads the file: each row is wrong, or its owner is out of sight. */
async function refuseForeign(of: FileOf): Promise<void> {
  const file = await exportFile(api, of, "csv");
  const answer = await sendFile(api, { ...of, token: other.token }, file, {
    check: 1,
    mode: "change",
  });
  if (answer.code !== 0) return expect(answer.issues).toMatchObject([{ rule: "unknown" }]);
  const { rows, counts } = answer.data as Imported;
  expect(counts).toEqual({ new: 0, changed: 0, unchanged: 0, kept: 0, bad: rows.length });
  return undefined;
}

const twice = <T>(all: readonly T[]): T[] => all.filter((one, at) => all.indexOf(one) !== at);

test.each(travelling)(
  "%s comes back unchanged and writes nothing, to its tenant only",
  async (name) => {
    const resource: AnyResource = allResources[name];
    const of = { resource: resource.name, inside: insideOf(resource), token: home.token };
    const fields = sheetFields(resource);
    for (const language of [0, 1] as const) {
      expect(twice(fields.map(({ title }) => title[language].toLowerCase()))).toEqual([]);
    }
    await roundTrip(of, formatOf(name));
    await refuseForeign(of);
    const [head = []] = tableOf(await templateFile(api, of));
    expect(head).toHaveLength(fields.filter(({ role }) => role === "value").length);
  },
);

const ofCpes = travelling.filter((name) => {
  const rule = ruleOf(name);
  return !("none" in rule) && rule.acrossCpes === true;
});

test("CPEs go out with their WAN links, LAN sections and static routes", () => {
  expect(ofCpes.toSorted()).toEqual(["lansection", "line", "staticroute"]);
});

test.each(ofCpes)(
  "%s of all CPEs comes back unchanged, of the tenant's CPEs only",
  async (name) => {
    const of = { resource: allResources[name].name, token: home.token };
    await roundTrip(of, formatOf(name));
    const [head = [], ...rows] = tableOf(await exportFile(api, of));
    expect(head[1]).toBe("CPE");
    expect(new Set(rows.map(([, cpe]) => cpe))).toEqual(new Set(["home-cpe"]));
    await refuseForeign(of);
  },
);

test("a WAN link of another CPE is added by the name of that CPE", async () => {
  const [, spare] = [home.ids.cpeId, await addCpe("spare-cpe")];
  const of: FileOf = { resource: "line", token: home.token };
  const file = "CPE,slot,name,interfaceName,addressing,lineQuality,reachable,mtu\r\n";
  const row = (cpe: string) => `${file}${cpe},1,wan-of-file,wan1,dhcp,0,0,1420\r\n`;
  const done = await imported(api, of, row("spare-cpe"));
  expect(done).toMatchObject({ done: true, counts: { new: 1 }, targets: [{ name: "home" }] });
  const lines = await api.get("/customer/line/list", { nodeId: spare, limit: 10 }, home.token);
  expect(lines.data).toMatchObject([{ nodeId: spare, slot: 1, name: "wan-of-file" }]);
  const foreign = await imported(api, of, row("other-cpe"), { check: 1 });
  expect(foreign).toMatchObject({ counts: { bad: 1 }, rows: [{ issues: [{ title: "CPE" }] }] });
});

async function addCpe(alias: string): Promise<number> {
  const draft = distinctDraft("cpe", home.ids, { name: alias, latin: alias, number: 77 });
  return newIdOf(await api.post(allResources.cpe.ops.add.path, { ...draft, alias }, home.token));
}

test.each(families)("%s comes back unchanged and writes nothing", async (name, scope) => {
  await roundTrip({ resource: name, inside: owners[scope], token: home.token }, "csv");
});

test("what makes no round trip says why", async () => {
  const reasons = names.flatMap((name) => {
    const rule = ruleOf(name);
    return "none" in rule ? [[name, rule.none[1]]] : [];
  });
  expect(reasons).toEqual([
    ["identityProvider", "a provider needs its client secret, and secrets are not exported"],
    ["webhook", "a webhook needs its secret, and secrets are not exported"],
    ["apiKey", "a key is shown once, when it is made"],
    ["alarmWindow", "a maintenance window is planned for one object and one time"],
  ]);
  const answer = await sendFile(api, { resource: "apiKey", token: home.token }, "a\r\nb");
  expect(answer).toMatchObject({ code: 422 });
});
