/** Rows that go out to a file, are mended there, and come back. */
import { read, utils } from "@e965/xlsx";
import { allResources } from "@weft/contract/all-endpoints.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";
import {
  exportFile,
  type FileOf,
  fileOf,
  imported,
  sendFile,
  type Table,
  tableOf,
  templateFile,
} from "../../../../test/sheet-files.ts";
import { distinctDraft, makeTenant, newIdOf, type Tenant } from "../../../../test/tenants.ts";

let api: TestApi;
let admin = "";
let [home, other] = [] as unknown as [Tenant, Tenant];
let accounts: FileOf;

beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
  other = await makeTenant(api, admin, "other");
  accounts = { resource: "account", token: home.token };
  for (const number of [1, 2, 3]) {
    const draft = distinctDraft("account", home.ids, {
      name: `账号-${number}`,
      latin: `a${number}`,
      number,
    });
    newIdOf(await api.post(allResources.account.ops.add.path, draft, home.token));
  }
}, 120_000);
afterAll(() => api.close());

const actions = async (): Promise<string[]> => {
  const { rows } = await sql<{ action: string }>`select action from audit order by id`.execute(
    api.database.pools.apiAll.db,
  );
  return rows.map(({ action }) => action);
};
const listed = async (name: "account" | "cug" | "routerTemplate", token = home.token) =>
  (await api.get(allResources[name].ops.list.path, { limit: 100, size: 100 }, token))
    .data as Record<string, unknown>[];

/** The table with one cell replaced, by the head of its column. */
const withCell = (table: Table, row: number, head: string, value: string | number): Table => {
  const column = (table[0] ?? []).findIndex((one) => String(one).startsWith(head));
  expect(column, head).toBeGreaterThanOrEqual(0);
  return table.map((cells, at) =>
    at === row ? cells.map((cell, place) => (place === column ? value : cell)) : cells,
  );
};

test("endpoints:sheet.export endpoints:sheet.import one bad row is shown in full, mended and imported", async () => {
  const exported = tableOf(await exportFile(api, accounts));
  const changed = withCell(exported, 1, "启用状态", "停用");
  const fresh = (changed[3] ?? []).map((cell, at) => (at === 0 ? null : cell));
  const added = withCell([...changed, fresh], 4, "登录名", "neu@");
  const bad = withCell(withCell(added, 2, "终端类型", "手机"), 2, "手机", "12");
  const before = await actions();

  const change = { mode: "change" };
  const checked = await imported(api, accounts, fileOf(bad), { ...change, check: 1 });
  expect(checked.counts).toEqual({ new: 1, changed: 1, unchanged: 1, kept: 0, bad: 1 });
  expect(checked.targets).toEqual([{ name: "home", rows: 2 }]);
  expect(checked.unread).toContain("创建时间 (Asia/Shanghai)");
  const [first, second] = checked.rows;
  expect(first).toMatchObject({ row: 2, state: "changed" });
  expect(first?.differences).toEqual([{ title: "启用状态", old: "启用", new: "停用" }]);
  expect(second?.issues).toEqual([
    {
      path: "terminalType",
      title: "终端类型",
      value: "手机",
      text: "应为其中之一：X86, MIPS, MIPSEL, ARM, PC, 安卓, 苹果, 客户端",
    },
    { path: "phone", title: "手机", value: "12", text: "应为 1 开头的 11 位手机号" },
  ]);
  // One bad row keeps all of them out.
  const refused = await sendFile(api, accounts, fileOf(bad), change);
  expect(refused).toMatchObject({ code: 400, issues: [{ params: { row: 3 } }, {}] });
  expect(await actions()).toEqual(before);

  const done = await imported(api, accounts, fileOf(added), change);
  expect(done).toMatchObject({ done: true, counts: { new: 1, changed: 1, unchanged: 2 } });
  expect((await actions()).slice(before.length)).toEqual(["sheet.import", "sheet.import"]);
  const rows = await listed("account");
  expect(rows).toHaveLength(4);
  expect(rows.find(({ alias }) => alias === exported[1]?.[4])).toMatchObject({ enable: 0 });
});

test("invalid rows are skipped with skipBad", async () => {
  const before = (await listed("account")).length;
  const head = "登录名,别名,终端类型,启用状态,到期时间\r\n";
  // The last one breaks a rule of the database: it is there already.
  const lines = ["fresh@,甲,PC,启用,", "a b,乙,PC,启用,", "fresh@,丙,PC,启用,"];
  const file = head + lines.join("\r\n");
  const { counts, plan } = await imported(api, accounts, file, { check: 1 });
  expect(counts).toMatchObject({ new: 1, bad: 2 });
  expect(await sendFile(api, accounts, file, { plan })).toMatchObject({ code: 400 });
  expect(await listed("account")).toHaveLength(before);
  const done = await imported(api, accounts, file, { plan, skipBad: 1 });
  expect(done).toMatchObject({ done: true, counts: { new: 1, bad: 2 } });
  expect(await listed("account")).toHaveLength(before + 1);
});

test("to add only is the default: what exists stays as it is", async () => {
  const exported = tableOf(await exportFile(api, accounts));
  const file = fileOf(withCell(exported, 2, "备注", "夜班"));
  const done = await imported(api, accounts, file);
  expect(done).toMatchObject({ done: true, counts: { kept: 1, changed: 0 } });
  expect((await listed("account")).map(({ remark }) => remark)).not.toContain("夜班");
});

test("rows without ids are known by their key; one row twice is refused", async () => {
  const exported = tableOf(await exportFile(api, accounts));
  const bare = exported.map((cells) => cells.slice(1));
  const of = { ...accounts, language: "en" as const };
  const same = await imported(api, of, fileOf(bare), { mode: "change", check: 1 });
  expect(same.counts.unchanged).toBe(bare.length - 1);
  const twice = await imported(api, of, fileOf([...bare, bare[1] ?? []]), { check: 1 });
  expect(twice.counts.bad).toBe(1);
  expect(twice.rows.at(-1)?.issues[0]?.text).toBe("Means the same object as row 2");
});

test("what was changed since the check is not overwritten unseen", async () => {
  const exported = tableOf(await exportFile(api, accounts));
  const file = fileOf(withCell(exported, 2, "备注", "夜班"));
  const change = { mode: "change" };
  const { plan } = await imported(api, accounts, file, { ...change, check: 1 });
  const [row] = (await listed("account")).filter(({ id }) => id === exported[2]?.[0]);
  const edited = await api.post(
    allResources.account.ops.edit.path,
    { ...row, phone: row?.phone ?? "", email: "", remark: "早班" },
    home.token,
  );
  expect(edited).toMatchObject({ code: 0 });
  expect(await sendFile(api, accounts, file, { ...change, plan })).toMatchObject({ code: 412 });
});

const texts = ["=1+1", "+86 10", "-2+3", "@SUM(A1)", "'=quoted", "'plain", 'a "b", c', "a\nb"];

test("cells that look like formulas are exported as text and imported unchanged", async () => {
  for (const [number, remark] of texts.entries()) {
    const draft = { templateName: `formula-${number}`, remark };
    newIdOf(await api.post(allResources.routerTemplate.ops.add.path, draft, home.token));
  }
  const of = { resource: "routerTemplate", token: home.token };
  const csv = (await exportFile(api, of, "csv")).toString();
  expect(csv).toContain(",'=1+1,");
  expect(csv).toContain(",''=quoted,");
  for (const file of [Buffer.from(csv), await exportFile(api, of)]) {
    const { counts } = await imported(api, of, file, { mode: "change", check: 1 });
    expect(counts).toMatchObject({ unchanged: texts.length, changed: 0, bad: 0 });
  }
  // In another installation the same values arrive.
  const bare = csv
    .split("\r\n")
    .map((line) => line.split(",").slice(1).join())
    .join("\r\n");
  const there = { ...of, token: other.token };
  expect(await imported(api, there, bare)).toMatchObject({ counts: { new: texts.length } });
  const remarks = (await listed("routerTemplate", other.token)).map(({ remark }) => remark);
  expect(remarks.sort()).toEqual([...texts].sort());
});

test("csv is read in the encodings that spreadsheets save in China", async () => {
  const of = { resource: "routerTemplate", token: home.token };
  // 模板名称,备注 / 数据中心,夜间 in GB 18030.
  const gbk = "c4a3b0e5c3fbb3c62cb1b8d7a20d0acafdbeddd6d0d0c42cd2b9bce40d0a";
  const wide = Buffer.from("\ufeff模板名称\t备注\r\n机房\t夜间\r\n", "utf16le");
  for (const file of [Buffer.from(gbk, "hex"), wide]) {
    expect(await imported(api, of, file)).toMatchObject({ counts: { new: 1, bad: 0 } });
  }
  const names = (await listed("routerTemplate")).map(({ templateName }) => templateName);
  expect(names).toEqual(expect.arrayContaining(["数据中心", "机房"]));
});

test("columns have any order; one that there is not is named and not read", async () => {
  const of = { resource: "routerTemplate", token: home.token, language: "en" as const };
  const file = "Colour,备注,Template name\r\nred,x,ordered\r\n";
  const checked = await imported(api, of, file, { check: 1 });
  expect(checked).toMatchObject({ unknown: ["Colour"], counts: { new: 1 } });
  for (const [wrong, rule] of [
    ["Colour\r\nred\r\n", "unreadable"],
    ["备注,Remark\r\na,b\r\n", "unknownColumn"],
    ["", "required"],
  ] as const) {
    const answer = await sendFile(api, of, wrong);
    expect(answer).toMatchObject({ code: 400, issues: [{ path: "file", rule }] });
  }
});

test("rows are named, not numbered: of two with one name the own enterprise's is meant", async () => {
  const { groupid } = other.ids;
  const twin = { ...distinctDraft("cpe", other.ids, { name: "x", latin: "twin", number: 7 }) };
  const draft = { ...twin, alias: "home-cpe" };
  const twinId = newIdOf(await api.post(allResources.cpe.ops.add.path, draft, admin));
  const of = { resource: "cug", token: admin };
  const head = "名称,所属企业,带宽 (Mbit/s),CPE,启用状态,备注\r\n";
  const line = (cpes: string, company = "other") => `${head}group,${company},1.5,${cpes},启用,\r\n`;
  const checked = await imported(api, of, line("home-cpe"), { check: 1 });
  expect(checked).toMatchObject({ counts: { new: 1 }, targets: [{ name: "other", rows: 1 }] });
  expect(await imported(api, of, line("home-cpe"))).toMatchObject({ done: true });
  const [group] = await listed("cug", admin);
  expect(group).toMatchObject({ groupid, cpeIds: String(twinId), bandwidth: 1_500_000 });
  const [, exported = []] = tableOf(await exportFile(api, of));
  expect(exported).toContain(`home-cpe #${twinId}`);
  // Neither is of this enterprise: both are named.
  const unclear = await imported(api, of, line("home-cpe", "运营中心"), { check: 1 });
  expect(unclear.rows[0]?.issues[0]?.text).toContain(`home-cpe #${home.ids.cpeId}`);
  // Another tenant's row is as absent as one that there is not.
  const foreign = { ...of, token: other.token };
  const issueOf = async (cpes: string) =>
    (await imported(api, foreign, line(cpes), { check: 1, mode: "change" })).rows[0]?.issues;
  const [stranger, absent] = [`#${home.ids.cpeId}`, "#987654"];
  const strange = JSON.stringify(await issueOf(stranger)).replaceAll(stranger, absent);
  expect(strange).toBe(JSON.stringify(await issueOf(absent)));
  expect(strange).toContain("CPE");
});

test("a login name of another enterprise is not given to one that no row names", async () => {
  const of = { resource: "account", token: admin };
  const row = (company: string) =>
    `登录名,别名,终端类型,所属企业\r\na1@,账号,PC,${company}\r\nfresh,账号,1,${company}\r\nfresh,账号,1,${company}\r\n`;
  const checked = await imported(api, of, row(""), { check: 1 });
  expect(checked.counts).toMatchObject({ new: 1, bad: 2 });
  expect(checked.rows[0]?.issues).toMatchObject([
    { path: "loginName", value: "a1@", text: expect.stringContaining("“home”") },
  ]);
  // The third row is the second one again, and says so.
  expect(checked.rows[2]?.issues.map(({ text }) => text)).toContain("与第 3 行是同一条数据");
  // Named, it is meant: login names are unique in their enterprise.
  const named = await imported(api, of, row("other"), { check: 1 });
  expect(named.rows[0]).toMatchObject({ state: "new" });
});

test("a target out of sight, and what the caller may not do, are refused before the file is read", async () => {
  const elsewhere = { ...accounts, inside: { groupid: other.ids.groupid } };
  const absent = { ...accounts, inside: { groupid: 987_654 } };
  const answers = [elsewhere, absent].map((of) => sendFile(api, of, "x", { check: 1 }));
  const [foreign, none] = await Promise.all(answers);
  expect(foreign).toMatchObject({ code: 400, issues: [{ path: "groupid", rule: "unknown" }] });
  expect(none?.issues).toEqual(foreign?.issues);
  const token = await api.userToken({
    enterpriseId: home.ids.groupid,
    dataScope: 3,
    permissions: ["clientAdd", "accountEdit"],
  });
  const of = { ...accounts, token };
  expect(await sendFile(api, of, "x", { check: 1 })).toMatchObject({ code: 403 });
  await expect(exportFile(api, of)).rejects.toThrow("403");
});

test("endpoints:sheet.template returns an empty file whose header describes the allowed values", async () => {
  const file = await templateFile(api, { ...accounts, language: "en" });
  const book = read(file);
  const [head = []] = tableOf(file);
  expect(book.SheetNames).toEqual(["sheet1", "values"]);
  const choices = utils.sheet_to_json<Record<string, string>>(book.Sheets.values ?? {});
  const of = (title: string) => choices.flatMap((row) => row[title] ?? []);
  expect(of("Terminal type")).toEqual(expect.arrayContaining(["PC", "Android"]));
  expect(of("Enterprise")).toEqual(["home"]);
  expect(head).toContain("Down bandwidth (Mbit/s)");
});

test("texts that spreadsheets and files have a meaning for are imported as they were, also as new rows", async () => {
  const texts = [
    "=1+1",
    "'=1",
    "@a",
    "-1",
    "0123",
    "1e5",
    "TRUE",
    "2026-01-01",
    "a,b",
    '"a";b',
    "#5",
  ];
  for (const [number, remark] of texts.entries()) {
    const draft = distinctDraft("account", other.ids, { name: "t", latin: `t${number}`, number });
    newIdOf(await api.post(allResources.account.ops.add.path, { ...draft, remark }, other.token));
  }
  const of = { resource: "account", token: other.token };
  const file = (await exportFile(api, of, "csv")).toString("utf8");
  const ids = (await listed("account", other.token)).map(({ id }) => id).join(",");
  const removed = await api.post(allResources.account.ops.remove.path, { ids }, other.token);
  expect(removed).toMatchObject({ code: 0 });
  // Rows that are gone have no id.
  const fresh = file.replaceAll(/^\d+,/gm, ",");
  const checked = await imported(api, of, fresh, { check: 1 });
  expect(checked.counts).toMatchObject({ new: texts.length, bad: 0 });
  await imported(api, of, fresh, { plan: checked.plan });
  const remarks = (await listed("account", other.token)).map(({ remark }) => String(remark));
  expect(remarks.toSorted()).toEqual(texts.toSorted());
});
