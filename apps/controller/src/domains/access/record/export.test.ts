import { read, utils } from "@e965/xlsx";
import { parse } from "csv-parse/sync";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { makeTenant } from "../../../../test/tenants.ts";

let api: TestApi;
let admin: string;
beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
}, 60_000);
afterAll(() => api.close());

type Given = { ticket: string; name: string; rows: number };

const ask = async (path: string, query: object, token: string): Promise<Given> => {
  const answer = await api.get(`/customer/${path}`, query, token);
  expect(answer).toMatchObject({ code: 0 });
  return answer.data as Given;
};
const fetchFile = (ticket: string) =>
  api.app.inject({ method: "GET", url: "/customer/download", query: { ticket } });
const rowsOf = (body: Buffer): Record<string, unknown>[] => {
  const book = read(body);
  expect(book.SheetNames).toEqual(["sheet1"]);
  return utils.sheet_to_json(book.Sheets.sheet1 ?? {});
};

describe("export of the logs", () => {
  test("endpoints:operaRecord.export the file has the rows of the list under its filters", async () => {
    const tenant = await makeTenant(api, admin, "export-a");
    const { ticket, name } = await ask("operaRecord/export", { module: "enterprise" }, admin);
    expect(name).toBe("操作日志.xlsx");
    const file = await fetchFile(ticket);
    expect(file.headers["content-type"]).toContain("spreadsheetml");
    expect(decodeURIComponent(String(file.headers["content-disposition"]))).toContain(name);
    const rows = rowsOf(file.rawPayload);
    expect(rows.length).toBeGreaterThan(0);
    const listed = await api.get(
      "/customer/operaRecord/list",
      { module: "enterprise", limit: 1000 },
      admin,
    );
    const heads = Object.keys(rows[0] ?? {});
    expect(new Set(heads)).toEqual(
      new Set([
        "编号",
        "登录名",
        "所属企业",
        "对象",
        "操作",
        "记录 ID",
        "名称",
        "操作内容",
        "来源地址",
        "请求编号",
        "创建时间 (UTC)",
        "修改内容",
      ]),
    );
    expect(rows).toHaveLength(listed.count ?? -1);
    expect(rows.map((row) => row.操作内容)).toContain("admin 新增了企业 export-a");
    expect(new Set(rows.map((row) => row.模块 ?? row.对象))).toEqual(new Set(["enterprise"]));
    expect(tenant.token).not.toBe("");
  });

  test("endpoints:loginRecord.export as csv, in the reader's language and time zone", async () => {
    const headers = { "accept-language": "en" };
    const answer = await api.get(
      "/customer/loginRecord/export",
      { format: "csv", zone: "Asia/Shanghai", loginName: "admin" },
      admin,
      headers,
    );
    const { ticket, name } = answer.data as Given;
    expect(name).toBe("Login log.csv");
    const rows: Record<string, string>[] = parse((await fetchFile(ticket)).rawPayload, {
      bom: true,
      columns: true,
    });
    const at = rows[0]?.["Created (Asia/Shanghai)"] ?? "";
    const exportedAt = Date.parse(`${at.replace(" ", "T")}+08:00`);
    expect(Math.abs(Date.now() - exportedAt)).toBeLessThan(600_000);
    expect(rows[0]?.["Login name"]).toBe("admin");
  });

  test("a ticket opens one download, for 30 s, while its user is logged in", async () => {
    const { ticket } = await ask("loginRecord/export", {}, admin);
    expect((await fetchFile(ticket)).statusCode).toBe(200);
    expect((await fetchFile(ticket)).statusCode).toBe(403);
    const { ticket: old } = await ask("loginRecord/export", {}, admin);
    await sql`update ticket set expires_at = now() - interval '1 s'`.execute(
      api.database.pools.apiAll.db,
    );
    expect((await fetchFile(old)).statusCode).toBe(403);
    const leaver = await api.userToken({ enterpriseId: 1, dataScope: 3 });
    const { ticket: left } = await ask("loginRecord/export", {}, leaver);
    await api.post("/customer/user/logout", {}, leaver);
    expect((await fetchFile(left)).statusCode).toBe(403);
    expect((await fetchFile("")).statusCode).toBe(403);
    expect((await fetchFile("x".repeat(43))).statusCode).toBe(403);
  });

  test("the file contains only rows in the caller's scope, and the log records who exported it", async () => {
    const [mine, theirs] = [
      await makeTenant(api, admin, "export-mine"),
      await makeTenant(api, admin, "export-theirs"),
    ];
    const { ticket } = await ask("operaRecord/export", {}, mine.token);
    const text = JSON.stringify(rowsOf((await fetchFile(ticket)).rawPayload));
    expect(text).toContain("export-mine");
    expect(text).not.toContain("export-theirs");
    const { data } = await api.get("/customer/operaRecord/list", { limit: 5 }, mine.token);
    expect((data as { action: string }[]).map(({ action }) => action)).toContain(
      "operaRecord.export",
    );
    expect(theirs.ids).not.toEqual(mine.ids);
  });

  test("a file without rows is a file", async () => {
    const { ticket, rows } = await ask("loginRecord/export", { result: 0 }, admin);
    expect(rows).toBe(0);
    expect(rowsOf((await fetchFile(ticket)).rawPayload)).toEqual([]);
  });

  test.each([
    ["format", "pdf"],
    ["zone", "Mars/Olympus"],
  ])("a %s that there is not is refused", async (field, value) => {
    const answer = await api.get("/customer/operaRecord/export", { [field]: value }, admin);
    expect(answer).toMatchObject({ code: 400, issues: [{ path: field }] });
  });
});
