import { QueryClientProvider } from "@tanstack/react-query";
import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import type { Permission } from "@weft/contract/permissions.ts";
import { renderToString } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { describe, expect, it } from "vitest";
import { createQueryClient, queryKey } from "#client/query.ts";
import { type Session, SessionContext } from "#client/session.tsx";
import { resourcePage, resourceView } from "./resource-view.tsx";

const routeMessages = defineMessages({
  "routeView.title": ["静态路由", "Static routes"],
  "routeView.add": ["新增路由", "Add route"],
  "routeView.empty": ["还没有路由", "No routes yet"],
});

const Page = resourcePage(
  resourceView(staticRoute, {
    messages: routeMessages,
    title: "routeView.title",
    addLabel: "routeView.add",
    empty: "routeView.empty",
    nameOf: (row) => row.destination,
    columns: (_t) => ["destination", "metric", "announce", "nEnable", "remark"],
    form: (_t) => ["destination", "nextHop"],
    initial: {},
    removeBody: () => null,
  }),
);

const row = {
  nID: 7,
  nCpeID: 1,
  nEnable: true,
  destination: "10.88.0.0/16",
  nextHop: "10.77.1.254",
  metric: 0,
  announce: false,
  remark: "",
};

const session = (authorities: Permission[]): Session => ({
  userId: 2,
  loginName: "ops",
  roles: [],
  roleType: 2,
  groupid: 1,
  authorities,
  enterpriseName: "",
  perms: [],
  passwordPolicy: "spec",
  mustAddFactor: false,
  menus: [],
  sysName: "",
  logo: "",
  colums: {},
  cpeColomn: "",
  clientColomn: "",
});

/** The page as it is first drawn with these rows already there. */
const drawn = (rows: (typeof row)[], authorities: Permission[]): string => {
  const client = createQueryClient();
  const input = { nCpeID: null, page: 1, limit: 10, orderByColumn: null, isAsc: null };
  client.setQueryData(queryKey(staticRoute.ops.list, input), { data: rows, count: rows.length });
  return renderToString(
    <QueryClientProvider client={client}>
      <SessionContext value={session(authorities)}>
        <MemoryRouter>
          <Page />
        </MemoryRouter>
      </SessionContext>
    </QueryClientProvider>,
  );
};

const cellsOf = (html: string): string[] =>
  [...html.matchAll(/<td class="ant-table-cell[^>]*>(.*?)<\/td>/g)].map(([, cell = ""]) =>
    cell.replace(/<[^>]*>/g, ""),
  );

describe("a declared screen", () => {
  it("shows each value by its type, and zero is not missing", () => {
    const cells = cellsOf(drawn([row], ["configStaticroute"]));
    expect(cells.slice(0, 5)).toEqual(["10.88.0.0/16", "0", "否", "启用", "—"]);
  });

  it("heads its columns with the words of the contract", () => {
    const html = drawn([row], []);
    for (const word of ["目的网段", "度量值", "通告到空间", "备注"]) expect(html).toContain(word);
  });

  it("offers what the person may do, and nothing else", () => {
    const may = drawn([row], ["configStaticroute"]);
    expect([may.includes("新增路由"), may.includes(">编辑<"), may.includes(">移除<")]).toEqual([
      true,
      true,
      true,
    ]);
    const mayNot = drawn([row], ["cpeEdit"]);
    expect([mayNot.includes("新增路由"), mayNot.includes(">编辑<")]).toEqual([false, false]);
  });

  it("says what is not there, and what next", () => {
    expect(drawn([], ["configStaticroute"])).toContain("还没有路由");
  });
});
