import { allEndpoints, allResources, type ResourceName } from "@weft/contract/all-endpoints.ts";
import { fromEdge } from "@weft/contract/device/v1/messages.ts";
import * as codec from "@weft/contract/kernel/codec.ts";
import { checkWire, failsWith } from "@weft/contract/kernel/rule.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { compiledInverse, wireReader, wireWriter } from "./compiled-schema.ts";

const names = Object.keys(allResources) as ResourceName[];
const ids = { groupid: 1, cpeId: 2, popId: 3, roleId: 4, strategyId: 5, speedId: 6, vbrNodeId: 7 };

/** What a function gives, or that it fails. */
const outcomeOf = (run: () => unknown): unknown => {
  try {
    return { given: run() };
  } catch (error) {
    return { failed: error instanceof z.core.$ZodError ? error.issues : String(error) };
  }
};

/** Uses of a schema until it is compiled, and one more. */
const usedOften = <T>(use: (value: T) => unknown, value: T): unknown =>
  [1, 2, 3].map(() => outcomeOf(() => use(value))).at(-1);

describe("a schema that is compiled reads and writes as it does itself:", () => {
  test.each(names)("drafts of %s", (name) => {
    const schema = allResources[name].draft as z.ZodObject;
    const { valid, edited, invalid } = samples[name];
    for (const memory of [valid(ids), edited(ids)]) {
      const write = wireWriter(schema);
      expect(usedOften(write, memory)).toEqual(outcomeOf(() => z.encode(schema, memory)));
      const wire = z.encode(schema, memory) as Record<string, unknown>;
      const broken = invalid.map(({ field, value }) => ({ ...wire, [field]: value }));
      const missing = Object.keys(wire).map((field) => {
        const { [field]: _, ...rest } = wire;
        return rest;
      });
      const read = wireReader(schema);
      for (const one of [wire, wire, ...broken, ...missing, { ...wire, unknown: 1 }, null]) {
        expect(read(one)).toEqual(checkWire(schema, one));
      }
    }
  });

  const values = [
    undefined,
    null,
    true,
    false,
    "",
    "0",
    "1",
    " a ",
    "a,b",
    "2026-01-01 00:00:00",
    0,
    1,
    -1,
    0.5,
    2 ** 60,
    Number.NaN,
    new Date(0),
    new Date(Number.NaN),
    [],
    [1, 2],
    ["a"],
    {},
  ];
  const object = z.object({ id: codec.id, at: codec.instant, kept: z.string().optional() });
  const schemas: Readonly<Record<string, z.ZodType>> = {
    int: codec.int(0, 9),
    decimal: codec.decimal(0, 1),
    text: codec.text(9, 1),
    flag: codec.flag,
    idList: codec.idList,
    someIds: codec.someIds,
    keyList: codec.keyList,
    instant: codec.instant,
    expiry: codec.expiry,
    orNull: codec.orNull(codec.instant),
    nullable: codec.nullable(codec.id),
    "orNull with a rule": codec
      .orNull(codec.int(0, 9))
      .refine((value) => value !== 1, failsWith("oneOf")),
    code: codec.code([0, 2]),
    oneOf: codec.oneOf(["a", "0"]),
    default: codec.int(0, 9).default(1),
    "list of moments, at most one": z.array(codec.instant).max(1),
    "one or the other": z.union([codec.instant, codec.idList]),
    "by name": z.record(z.string(), codec.instant),
  };
  test.each(Object.keys(schemas))("%s", (name) => {
    const schema = schemas[name] as z.ZodType;
    for (const value of values) {
      const plain = outcomeOf(() => z.encode(schema, value as never));
      expect(usedOften(wireWriter(schema), value)).toEqual(plain);
      expect(usedOften(wireReader(schema), value)).toEqual({ given: checkWire(schema, value) });
    }
  });

  test("rows: unknown fields go, absent ones stay absent, and a rule is about the memory form", () => {
    const ruled = object.refine(({ at }) => at.getTime() > 0, failsWith("tooEarly"));
    for (const [row, isGood] of [
      [{ id: 1, at: new Date(1_000), more: 1 }, true],
      [{ id: 1, at: new Date(1_000), kept: undefined }, true],
      [{ id: 1, at: new Date(0) }, false],
      [{ id: 1 }, false],
      [null, false],
    ] as const) {
      const plain = outcomeOf(() => z.encode(ruled, row as never));
      expect(usedOften(wireWriter(ruled), row)).toStrictEqual(plain);
      expect("given" in (plain as object)).toBe(isGood);
    }
  });
});

test("what is used often is not interpreted", () => {
  const schema = z.object({ id: codec.id, at: codec.instant });
  const run = vi.spyOn(schema._zod, "run");
  const [read, write] = [wireReader(schema), wireWriter(schema)];
  const [wire, row] = [
    { id: "1", at: "2026-01-01 00:00:00" },
    { id: 1, at: new Date(0) },
  ];
  for (let use = 0; use < 10; use += 1) {
    read(wire);
    write(row);
  }
  expect(run).toHaveBeenCalledTimes(2);
  read({ ...wire, id: "x" });
  expect(run).toHaveBeenCalledTimes(3);
});

test("all messages of devices, and all but a few calls, are compiled", () => {
  const isReadable = (schema: z.ZodType) => {
    try {
      return z.compile(schema, { strict: true }) !== schema;
    } catch {
      return false;
    }
  };
  expect(isReadable(fromEdge)).toBe(true);
  const idsOf = (some: typeof allEndpoints) => some.map(({ id }) => id);
  // A rule that runs although other fields break theirs.
  expect(idsOf(allEndpoints.filter(({ input }) => !isReadable(input)))).toEqual([
    "auth.editPassword",
  ]);
  // Trees, which are parts of themselves.
  expect(idsOf(allEndpoints.filter(({ output }) => compiledInverse(output) === null))).toEqual([
    "enterprise.cascader",
    "enterprise.cascaderAll",
    "enterprise.cascaderAllNew",
    "enterprise.cascaderNew",
    "menu.tree",
    "nodeState.getById",
    "popStrategy.sites",
    "auth.session",
    "siteReport.overview",
  ]);
}, 60_000);
