/**
 * One battery for every resource and every family of policy objects: what was exported is imported
 * unchanged, in both languages and as both kinds of file, and writes nothing.
 */
import { allResources, type ResourceName } from "@weft/contract/all-endpoints.ts";
import { policyFamilies, policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import { policyScopes } from "@weft/contract/kernel/policy-family.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import type { SheetFormat } from "@weft/contract/kernel/sheet.ts";
import type { SheetRule } from "@weft/contract/kernel/sheet-rule.ts";
import { makingOrder } from "@weft/contract/samples/making-order.ts";
import {
  ownerFieldsOf,
  type ReferenceKind,
  referenceOf,
  sheetFields,
} from "@weft/contract/sheet-fields.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { columnOf, tableOf as tableOfFamily } from "#domains/policies/policy/public.ts";
import { type TestApi, testApi } from "./api.ts";
import { kindOfField } from "./matrix-rows.ts";
import { makePolicyRows, makeTemplate, type OwnerInput } from "./policy-world.ts";
import {
  exportFile,
  type FileOf,
  fileOf,
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
  await makeStrangers();
}, 120_000);
afterAll(() => api.close());

/** Rows that columns could name: of the other tenant, and of another owner of the same one. */
async function makeStrangers(): Promise<void> {
  const mark = { name: "stranger", latin: "stranger", number: 50 };
  const receiver = distinctDraft("messageReceive", other.ids, mark);
  newIdOf(await api.post(allResources.messageReceive.ops.add.path, receiver, other.token));
  const area = { groupid: other.ids.groupid, pId: 0, name: "stranger", sort: 1 };
  newIdOf(await api.post("/customer/cpeArea/add", area, other.token));
  await makeTemplate(api, other.token);
  const beside = { templateId: await makeTemplate(api, home.token) };
  await makePolicyRows(api, [home.token], "template", beside);
}

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
  "%s is imported unchanged and writes nothing, to its tenant only",
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

test.each(families)("%s is imported unchanged and writes nothing", async (name, scope) => {
  await roundTrip({ resource: name, inside: owners[scope], token: home.token }, "csv");
});

/** Tables of the rows that columns name. */
const tables: Readonly<Record<Exclude<ReferenceKind, `family:${string}`>, string>> = {
  area: "cpe_area",
  alarmPolicy: "alarm_strategy",
  cpe: "node where kind = 'cpe'",
  cloudNode: "vbr_node",
  enterprise: "enterprise",
  node: "node",
  pop: "node where kind = 'pop'",
  popStrategy: "pop_strategy",
  profile: "xwan_speed",
  receiver: "message_receiver",
  role: "role",
  template: "router_template",
};

/** A row of this kind that is the other tenant's, or of a family another owner's of the same tenant. */
async function strangerOf(kind: ReferenceKind): Promise<{ id: number; name: string }> {
  const family = kind.startsWith("family:") ? policyFamily(kind.slice("family:".length)) : null;
  const { groupid } = family ? home.ids : other.ids;
  const name = family ? columnOf(family.spec.label) : "name";
  const table = family ? tableOfFamily(family.name) : tables[kind as keyof typeof tables];
  const owned = kind === "enterprise" ? "id" : "enterprise_id";
  const text = `select id, ${name} as name from (select * from weft.${table}) t
    where ${owned} = $1 order by id desc limit 1`;
  const { rows } = await api.database.pools.owner.pg.query<{ id: number; name: string }>(text, [
    groupid,
  ]);
  const [row] = rows;
  if (!row) throw new Error(`there is no ${kind} of another one`);
  // What every owner has from the start has one name everywhere.
  const isEverywhere = family !== null && !family.template.resource.verbs.includes("add");
  return isEverywhere ? { ...row, name: `${row.name} #${row.id}` } : row;
}

/** What cells may say of a row, by its name or its number. */
const saying: readonly ((row: { readonly id: number; readonly name: string }) => string)[] = [
  ({ name }) => name,
  ({ id }) => `#${id}`,
];

/** All columns that name rows name a stranger's; each is wrong, and nothing is said that would not be of a row that is not there. */
async function refuseStrangers(resource: AnyResource, of: FileOf): Promise<void> {
  const [head = [], first = []] = tableOf(await exportFile(api, of));
  const named = sheetFields(resource).flatMap(({ name, kind, role, title }) =>
    kind === null || role !== "value" ? [] : [{ name, kind, at: head.indexOf(title[0]) }],
  );
  expect(named.filter(({ at }) => at < 0)).toEqual([]);
  if (named.length === 0) return;
  const strangers = new Map<number, { readonly id: number; readonly name: string }>();
  for (const { kind, at } of named) strangers.set(at, await strangerOf(kind));
  for (const say of saying) {
    const answers: string[] = [];
    for (const isThere of [true, false]) {
      const cellAt = (place: number): string | null => {
        const row = strangers.get(place);
        return row ? say(isThere ? row : { id: 987_000 + place, name: `nobody-${place}` }) : null;
      };
      const file = fileOf([head, first.map((old, place) => cellAt(place) ?? old)]);
      const answer = await imported(api, of, file, { check: 1, mode: "change" });
      const issues = answer.rows.flatMap((row) => row.issues.map(({ path }) => path));
      expect(issues, resource.name).toEqual(expect.arrayContaining(named.map(({ name }) => name)));
      const said = [...strangers.keys()].reduce(
        (text, place) => text.replaceAll(JSON.stringify(cellAt(place)), '"<cell>"'),
        JSON.stringify({ ...answer, plan: "" }),
      );
      answers.push(said);
    }
    expect(answers[0], resource.name).toBe(answers[1]);
  }
}

/** Filters and owners of a list, in the JSON that its files are asked for with. */
async function refuseStrangersInQuery(resource: AnyResource, of: FileOf): Promise<void> {
  const { shape } = resource.ops.list.input;
  for (const name of Object.keys(shape)) {
    const kind = referenceOf(resource, name);
    if (kind === null) continue;
    const { id } = await strangerOf(kind);
    const answers: unknown[] = [];
    for (const asked of [id, 987_654]) {
      const fields = JSON.stringify({ ...of.inside, [name]: asked });
      for (const [path, field] of [
        ["/customer/sheet/export", "query"],
        ["/customer/sheet/template", "inside"],
      ] as const) {
        const input = { resource: resource.name, [field]: fields };
        const { code, msg, issues, data } = await api.get(path, input, of.token);
        const { rows } = (data ?? {}) as { readonly rows?: number };
        answers.push({ code, msg, issues, rows });
      }
    }
    expect(answers.slice(0, 2), `${resource.name}.${name}`).toEqual(answers.slice(2));
  }
}

test.each(travelling)("%s names a row of another tenant as it names none", async (name) => {
  const resource: AnyResource = allResources[name];
  const of = { resource: resource.name, inside: insideOf(resource), token: home.token };
  await refuseStrangers(resource, of);
  await refuseStrangersInQuery(resource, of);
});

test.each(families)("%s names a row of another owner as it names none", async (name, scope) => {
  const family = policyFamilies.find((one) => one[scope].resource.name === name);
  const resource = family?.[scope].resource as AnyResource;
  const of = { resource: name, inside: owners[scope], token: home.token };
  await refuseStrangers(resource, of);
  await refuseStrangersInQuery(resource, of);
});

test("every column that takes ids has names for them", () => {
  const without = travelling.flatMap((name) =>
    sheetFields(allResources[name])
      .filter(({ role, kind, schema, name: field }) => {
        return role === "value" && kind === null && kindOfField(`${name}.add`, field, schema);
      })
      .map(({ name: field }) => `${name}.${field}`),
  );
  expect(without).toEqual([]);
});

test("a resource without a round trip declares the reason", async () => {
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
