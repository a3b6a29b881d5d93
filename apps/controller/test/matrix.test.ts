/** The tenant matrix finds planted leaks, to whichever caller; matrix-of-role.ts finds none. */
import { everySession } from "@weft/contract/access.ts";
import { allEndpoints } from "@weft/contract/all-endpoints.ts";
import {
  type DataScope,
  dataScopes,
  type RoleType,
  roleTypes,
} from "@weft/contract/domains/access/enums.ts";
import * as codec from "@weft/contract/kernel/codec.ts";
import { type Endpoint, endpoint, nothing } from "@weft/contract/kernel/endpoint.ts";
import type { FastifyInstance } from "fastify";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Context } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { testApi } from "./api.ts";
import { type Cell, isInShare, runMatrix } from "./matrix.ts";
import { kindOfField } from "./matrix-rows.ts";
import { shapeOf } from "./schema-shape.ts";

/** To whom a call leaks; an absent member: to all of them. */
interface Victim {
  readonly roleType?: RoleType;
  readonly dataScope?: DataScope;
}

const callers = roleTypes.flatMap((roleType) =>
  dataScopes.map((dataScope) => ({ roleType, dataScope })),
);
const unscopedReason = { unscopedReason: "a leak planted by a test", unaudited: "a test" };
const named = z.object({ name: z.string() });

const anyNode = ({ db }: Context, id: number) =>
  db.selectFrom("node").select("name").where("id", "=", id).executeTakeFirst();
const ownNode = ({ db, caller }: Context, id: number) =>
  db
    .selectFrom("node")
    .select("name")
    .where("id", "=", id)
    .where(inCallerScope({ caller }, "enterprise_id"))
    .executeTakeFirst();

async function isVictim({ db, caller }: Context, { roleType, dataScope }: Victim) {
  const roles = await db
    .selectFrom("user_role")
    .innerJoin("role", "role.id", "user_role.role_id")
    .select(["role_type", "data_scope"])
    .where("user_id", "=", caller.userId)
    .execute();
  return roles.some(
    (role) =>
      (roleType ?? role.role_type) === role.role_type &&
      (dataScope ?? role.data_scope) === role.data_scope,
  );
}

/** Mounts a call that reads any node in these fields for some callers, and the own ones for all others. */
function plant(app: FastifyInstance, name: string, fields: readonly string[], who: Victim): void {
  const input = z.object(Object.fromEntries(fields.map((field) => [field, codec.id])));
  const path = `/customer/t/${name}` as const;
  const spec = {
    method: "GET",
    id: `cpe.${name}`,
    path,
    input,
    output: named,
    may: everySession("a test"),
  } as const;
  mount(
    app,
    endpoint(spec),
    async (ids, ctx) => {
      const read = (await isVictim(ctx, who)) ? anyNode : ownNode;
      const names: string[] = [];
      for (const id of Object.values(ids)) {
        names.push((await read(ctx, id as number))?.name ?? refuse("notFound"));
      }
      return { name: names.join() };
    },
    unscopedReason,
  );
}

/** Cells of the calls that a test mounts, by the matrix whole or in the share of `npm test`. */
async function cellsOf(prepare: (app: FastifyInstance) => void, isShare: boolean): Promise<Cell[]> {
  const api = await testApi(prepare);
  const isIncluded = ({ path }: Endpoint) => path.startsWith("/customer/t/");
  return runMatrix(api, { isIncluded, isShare, sharesRows: true }).finally(() => api.close());
}

const leaking = (cells: readonly Cell[]) => cells.filter(({ leaks }) => leaks.length > 0);

describe("planted leaks are found:", () => {
  const spec = {
    method: "GET",
    input: z.object({ id: codec.id }),
    may: everySession("a test"),
  } as const;
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
  const toOne = ({ roleType, dataScope }: Required<Victim>) => `one-${roleType}-${dataScope}`;

  let cells: Cell[] = [];
  beforeAll(async () => {
    const prepare = (app: FastifyInstance): void => {
      plant(app, "leaking", ["id"], {});
      for (const who of callers) plant(app, toOne(who), ["id"], who);
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
    };
    cells = await cellsOf(prepare, false);
  }, 300_000);
  const leaksOf = (id: string) =>
    leaking(cells)
      .filter(({ endpoint: one }) => one === id)
      .flatMap(({ leaks }) => leaks);

  test("another tenant's row in an answer", () => {
    expect(leaksOf("cpe.leaking")).toContain("foreign: names a stranger's row");
  });
  test("an answer that differs for a row that exists", () => {
    expect(leaksOf("cpe.hinting").join()).toMatch(/^foreign: .*412.*but absent .*404/);
  });
  test("another tenant's id after an own one in a list", () => {
    expect(leaksOf("cpe.listing")).toContain("mixed: was done");
  });
  test.each(callers)("one to role type $roleType in scope $dataScope alone", (who) => {
    const found = leaking(cells).filter((cell) => cell.endpoint === `cpe.${toOne(who)}`);
    expect(found).toMatchObject([who]);
  });
});

test("of every field of every call it is known which row it names, if any", () => {
  const unknown = allEndpoints.flatMap(({ id, input }) =>
    Object.entries(shapeOf(input)).flatMap(([field, schema]) => {
      try {
        kindOfField(id, field, schema);
        return [];
      } catch (error) {
        return [(error as Error).message];
      }
    }),
  );
  expect(unknown).toEqual([]);
});

test("a field that takes ids is found by what it takes, whatever it is called", () => {
  const named = (schema: z.ZodType) => () => kindOfField("cpe.planted", "partner", schema);
  for (const schema of [codec.id, codec.orNull(codec.id), codec.someIds, codec.idList]) {
    expect(named(schema)).toThrow("which kind of row does partner name");
  }
  expect(named(z.object({ cpe: codec.id }))).toThrow("which rows do the fields in partner name");
  expect(named(z.array(z.object({ cpe: codec.id })))).toThrow("the fields in partner");
  for (const schema of [codec.int(0, 65_535), codec.text(64), codec.flag, codec.keyList]) {
    expect(named(schema)()).toBeNull();
  }
});

describe("the share of npm test", () => {
  const fields = ["nCpeID", "nodeId", "sourceId"];
  const single: readonly Victim[] = [
    ...dataScopes.map((dataScope) => ({ dataScope })),
    ...roleTypes.map((roleType) => ({ roleType })),
  ];
  const nameOf = (place: number, who: Victim) => `share-${place}-${who.roleType}-${who.dataScope}`;

  let found: ReadonlySet<string> = new Set();
  beforeAll(async () => {
    const cells = await cellsOf((app) => {
      for (const who of single) plant(app, nameOf(1, who), ["id"], who);
      for (const who of callers) plant(app, nameOf(3, who), fields, who);
    }, true);
    found = new Set(leaking(cells).map((cell) => cell.endpoint));
  }, 300_000);

  test.each(single)(
    "finds a leak to role type $roleType or scope $dataScope in one field",
    (who) => {
      expect(found).toContain(`cpe.${nameOf(1, who)}`);
    },
  );
  test.each(callers)(
    "finds one to role type $roleType in scope $dataScope in a call of three fields",
    (who) => {
      expect(found).toContain(`cpe.${nameOf(3, who)}`);
    },
  );
  test("reads each field in every scope and as every type of role", () => {
    for (const { id } of allEndpoints) {
      for (const place of [0, 1, 2, 3]) {
        const asked = callers.filter((caller) => isInShare(id, place, caller));
        expect(asked).toHaveLength(4);
        expect(new Set(asked.map(({ dataScope }) => dataScope)).size).toBe(4);
        expect(new Set(asked.map(({ roleType }) => roleType)).size).toBe(3);
      }
    }
  });
  test("makes the same calls as every caller", () => {
    const counts = callers.map(
      (caller) => allEndpoints.filter(({ id }) => isInShare(id, 0, caller)).length,
    );
    expect(Math.min(...counts)).toBeGreaterThan(allEndpoints.length / 4);
  });
});
