/** The tenant matrix finds a planted leak; matrix-of-role.ts finds none. */
import * as codec from "@weft/contract/kernel/codec.ts";
import { type Endpoint, endpoint, nothing } from "@weft/contract/kernel/endpoint.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Context } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { testApi } from "./api.ts";
import { type Cell, runMatrix } from "./matrix.ts";

describe("planted leaks are found:", () => {
  const spec = { method: "GET", input: z.object({ id: codec.id }), may: null } as const;
  const named = z.object({ name: z.string() });
  const reporting = endpoint({
    ...spec,
    id: "cpe.leaking",
    path: "/customer/t/leaking",
    output: named,
  });
  const hinting = endpoint({
    ...spec,
    id: "cpe.hinting",
    path: "/customer/t/hinting",
    output: nothing,
  });
  const listing = endpoint({
    ...spec,
    method: "POST",
    id: "cpe.listing",
    path: "/customer/t/listing",
    input: z.object({ ids: codec.someIds }),
    output: nothing,
  });
  const unscopedReason = { unscopedReason: "a leak planted by a test", unaudited: "a test" };
  const anyNode = ({ db }: Context, id: number) =>
    db.selectFrom("node").select("name").where("id", "=", id).executeTakeFirst();
  const ownNode = ({ db, caller }: Context, id: number) =>
    db
      .selectFrom("node")
      .select("id")
      .where("id", "=", id)
      .where(inCallerScope({ caller }, "enterprise_id"))
      .executeTakeFirst();

  let cells: Cell[] = [];
  beforeAll(async () => {
    const api = await testApi((app) => {
      // Ignores the scope, and reads any row.
      mount(
        app,
        reporting,
        async ({ id }, ctx) => (await anyNode(ctx, id)) ?? refuse("notFound"),
        unscopedReason,
      );
      // Reveals only that the row exists.
      mount(
        app,
        hinting,
        async ({ id }, ctx) => refuse((await anyNode(ctx, id)) ? "conflict" : "notFound"),
        unscopedReason,
      );
      // Checks the first id of a list only.
      mount(
        app,
        listing,
        async ({ ids }, ctx) => ((await ownNode(ctx, ids[0] ?? 0)) ? null : refuse("notFound")),
        unscopedReason,
      );
    });
    const isAsked = ({ path }: Endpoint) => path.startsWith("/customer/t/");
    cells = await runMatrix(api, { isAsked }).finally(() => api.close());
  }, 300_000);
  const leaksOf = (id: string) =>
    cells.filter(({ endpoint: one }) => one === id).flatMap(({ leaks }) => leaks);

  test("another tenant's row in an answer", () => {
    expect(leaksOf("cpe.leaking")).toContain("foreign: names a stranger's row");
  });
  test("an answer that differs for a row that exists", () => {
    expect(leaksOf("cpe.hinting").join()).toMatch(/^foreign: .*412.*but absent .*404/);
  });
  test("another tenant's id after an own one in a list", () => {
    expect(leaksOf("cpe.listing")).toContain("mixed: was done");
  });
});
