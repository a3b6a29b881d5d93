/** Taking rows out of files: the kernel's import, with static routes as its rows. */
import { utils, write as writeBook } from "@e965/xlsx";
import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import * as codec from "@weft/contract/kernel/codec.ts";
import { importOf } from "@weft/contract/kernel/sheet.ts";
import { zipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { cpes } from "#domains/devices/public.ts";
import { requireRow } from "#kernel/reference.ts";
import { tableStore } from "#kernel/table-store.ts";
import { mountImport } from "#transfer/mount-import.ts";
import { type Answer, type TestApi, testApi } from "./api.ts";
import { makeTenant, type Tenant } from "./tenants.ts";

const { nCpeID, ...columns } = staticRoute.draft.shape;
const routes = importOf({
  id: "staticroute.import",
  path: "/customer/staticroute/import",
  may: "configStaticroute",
  owner: { nCpeID },
  row: z.object({ ...columns, metric: codec.int(1, 1000) }),
});
const store = tableStore(staticRoute, {
  table: "static_route",
  columns: {
    nCpeID: "node_id",
    nEnable: "enabled",
    destination: "destination",
    nextHop: "next_hop",
    metric: "metric",
    announce: "announce",
    remark: "remark",
  },
  owner: { row: "nCpeID", of: cpes },
  constraints: { static_route_once: { field: "destination" } },
});

let api: TestApi;
let [mine, theirs] = [] as unknown as [Tenant, Tenant];
beforeAll(async () => {
  api = await testApi((app) =>
    mountImport(app, routes, {
      resource: "staticroute",
      prepare: async (ctx, { nCpeID }) => {
        await requireRow(ctx, cpes, nCpeID, "nCpeID");
      },
      add: (ctx, row, owner) => store.add(ctx, { ...row, ...owner }),
    }),
  );
  const admin = await api.logIn("admin");
  mine = await makeTenant(api, admin, "import-mine");
  theirs = await makeTenant(api, admin, "import-theirs");
}, 60_000);
afterAll(() => api.close());

const boundary = "----weft-import";
async function send(
  bytes: Uint8Array,
  fields: object = {},
  { token, ids }: Tenant = mine,
): Promise<Answer> {
  const given = Object.entries({ nCpeID: ids.cpeId, ...fields }).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`;
  return api.send({
    method: "POST",
    url: routes.path,
    query: { token },
    headers: {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "accept-language": "en",
    },
    payload: Buffer.concat([
      Buffer.from(given.join("") + file),
      bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  });
}
const csv = (...lines: string[]): Uint8Array => new TextEncoder().encode(lines.join("\r\n"));
const head = "destination,nextHop,metric,nEnable,announce,remark";
const line = (n: number) => `10.77.${n}.0/24,192.168.1.254,10,1,1,`;
const stored = async ({ token, ids }: Tenant = mine) =>
  (await api.get("/customer/staticroute/list", { nCpeID: ids.cpeId, limit: 1000 }, token)).data as {
    destination: string;
  }[];

describe("a file of rows", () => {
  test("csv under the fields' Chinese titles is taken whole, with one row of the log each", async () => {
    const answer = await send(
      csv(
        "目的网段;下一跳;度量值;启用状态;通告到空间;备注",
        "10.1.0.0/24;192.168.1.9;5;1;0;分店",
        "",
        "10.1.1.0/24;192.168.1.9;5;1;0;",
      ),
    );
    expect(answer).toMatchObject({ code: 0, data: { rows: 2, added: 2, bad: [] } });
    expect((await stored()).map(({ destination }) => destination)).toEqual([
      "10.1.0.0/24",
      "10.1.1.0/24",
    ]);
    const log = await api.get("/customer/operaRecord/list", { module: "staticroute" }, mine.token);
    expect(log.count).toBe(2);
  });

  test("xlsx is read as csv is, numbers and booleans as well", async () => {
    const sheet = utils.aoa_to_sheet([
      head.split(","),
      ["10.2.0.0/24", "192.168.1.9", 7, true, 0, "xlsx"],
    ]);
    const book = utils.book_new(sheet, "any");
    const bytes = new Uint8Array(writeBook(book, { type: "array", bookType: "xlsx" }));
    expect(await send(bytes)).toMatchObject({ code: 0, data: { added: 1 } });
    expect(await stored()).toContainEqual(
      expect.objectContaining({
        destination: "10.2.0.0/24",
        metric: 7,
        nEnable: 1,
        remark: "xlsx",
      }),
    );
  });

  test("a check marks each bad row with field and rule, by rows as well, and writes nothing", async () => {
    const before = await stored();
    const bytes = csv(
      head,
      line(1),
      "10.77.2.0/99,192.168.1.254,5000,1,1,",
      "10.1.0.0/24,192.168.1.9,5,1,0,",
      line(1),
    );
    const answer = await send(bytes, { check: 1 });
    expect(answer).toMatchObject({ code: 0, data: { rows: 4, added: 0 } });
    const { bad, shown } = answer.data as {
      bad: { row: number; issues: { path: string; rule: string }[] }[];
      shown: { row: number; cells: object }[];
    };
    const reported = bad.map(({ row, issues }) => [
      row,
      issues.map(({ path, rule }) => `${path} ${rule}`),
    ]);
    expect(reported).toEqual([
      [3, ["destination cidr", "metric outOfRange"]],
      // There already, and twice in the file.
      [4, ["destination taken"]],
      [5, ["destination taken"]],
    ]);
    expect(shown[0]).toMatchObject({ row: 2, cells: { destination: "10.77.1.0/24" } });
    expect(await stored()).toEqual(before);
  });

  test("one bad row among good ones refuses all of them and names its number", async () => {
    const before = await stored();
    const answer = await send(csv(head, line(3), line(4), line(3)));
    expect(answer).toMatchObject({
      code: 400,
      issues: [{ path: "destination", params: { row: 4 } }],
    });
    expect(answer.msg).toContain("Row 4");
    expect(await stored()).toEqual(before);
  });

  test("another tenant's device takes nothing", async () => {
    const answer = await send(csv(head, line(9)), { nCpeID: theirs.ids.cpeId });
    expect(answer.code).toBe(400);
    expect(await stored(theirs)).toEqual([]);
  });
});

const bomb = (): Uint8Array =>
  zipSync({ "[Content_Types].xml": csv("x"), "xl/a.xml": new Uint8Array(64 * 2 ** 20) });

test.each([
  ["empty", new Uint8Array(0), "required"],
  ["a head alone", csv(head), "required"],
  ["a column that there is not", csv("destination,evil", "a,b"), "unknownColumn"],
  ["a column twice", csv("destination,目的网段", "a,b"), "unknownColumn"],
  ["random bytes", Uint8Array.from({ length: 4000 }, (_, at) => (at * 7919) % 256), "unreadable"],
  ["half a zip", Uint8Array.from([0x50, 0x4b, 3, 4, 1, 2, 3]), "unreadable"],
  ["a zip that is no workbook", zipSync({ "a.txt": csv("hello") }), "unreadable"],
  ["a zip that unpacks to 64 MB", bomb(), "unreadable"],
  ["a quote without its end", csv(head, '"10.1.0.0/24'), "unreadable"],
  [
    "more rows than are taken",
    csv(head, ...Array.from({ length: 5001 }, () => line(1))),
    "tooMany",
  ],
])("%s is refused, and nothing is stored", async (_, bytes, rule) => {
  const before = await stored();
  expect(await send(bytes)).toMatchObject({ code: 400, issues: [{ path: "file", rule }] });
  expect(await stored()).toEqual(before);
});

test("more than a megabyte is refused", async () => {
  expect(await send(new Uint8Array(1_200_000).fill(65))).toMatchObject({ code: 413 });
});
