import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import type { Permission } from "@weft/contract/permissions.ts";
import { describe, expect, it } from "vitest";
import { known, renderForTest } from "#client/render-for-test.tsx";
import { useTexts } from "#client/texts.ts";
import type { FieldProps } from "./form/field-props.ts";
import type { FilterSpec } from "./list/filter-bar.tsx";
import { type ResourceView, resourcePage } from "./resource-view.tsx";

const routeMessages = defineMessages({
  "routeView.title": ["静态路由", "Static routes"],
  "routeView.add": ["新增路由", "Add route"],
  "routeView.empty": ["还没有路由", "No routes yet"],
});

const Page = resourcePage(staticRoute, function useRoutes() {
  const t = useTexts(routeMessages);
  return {
    title: t("routeView.title"),
    addLabel: t("routeView.add"),
    empty: t("routeView.empty"),
    nameOf: (row) => row.destination,
    columns: ["destination", "metric", "announce", "nEnable", "remark"],
    form: { initial: {}, fields: ["destination", "nextHop"] },
    removal: { body: () => null },
  };
});

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

/** The page as it is first rendered with these rows already there. */
const pageWith = (rows: (typeof row)[], authorities: Permission[]): string => {
  // No CPE is named: the page of this test is of all.
  const input = { nCpeID: null as never, page: 1, limit: 10, orderByColumn: null, isAsc: null };
  return renderForTest(<Page />, authorities, [known(staticRoute.ops.list, input, rows)]);
};

const cellsOf = (html: string): string[] =>
  [...html.matchAll(/<td class="ant-table-cell[^>]*>(.*?)<\/td>/g)].map(([, cell = ""]) =>
    cell.replace(/<[^>]*>/g, ""),
  );

describe("a declared screen", () => {
  it("shows each value by its type, and zero is not missing", () => {
    const cells = cellsOf(pageWith([row], ["configStaticroute"]));
    expect(cells.slice(0, 5)).toEqual(["10.88.0.0/16", "0", "否", "启用", "—"]);
  });

  it("heads its columns with the labels of the contract", () => {
    const html = pageWith([row], []);
    for (const text of ["目的网段", "度量值", "通告到空间", "备注"]) expect(html).toContain(text);
  });

  it("offers what the person may do, and nothing else", () => {
    const may = pageWith([row], ["configStaticroute"]);
    expect([may.includes("新增路由"), may.includes(">编辑<"), may.includes(">删除<")]).toEqual([
      true,
      true,
      true,
    ]);
    const mayNot = pageWith([row], ["cpeEdit"]);
    expect([mayNot.includes("新增路由"), mayNot.includes(">编辑<")]).toEqual([false, false]);
  });

  it("shows what is missing and the next step", () => {
    expect(pageWith([], ["configStaticroute"])).toContain("还没有路由");
  });

  it("does not compile with a column, a control or a filter that does not exist", () => {
    const columns: ResourceView<typeof staticRoute>["columns"] = [
      "destination",
      // @ts-expect-error: no field of the row
      "distance",
    ];
    // @ts-expect-error: a subject's control is given as a component
    const field: FieldProps = { name: "groupid", kind: "enterprise" };
    // @ts-expect-error: as well as its filter
    const filter: FilterSpec = { key: "groupid", kind: "enterprise", label: "" };
    expect([columns.length, field.name, filter.key]).toEqual([2, "groupid", "groupid"]);
  });
});
