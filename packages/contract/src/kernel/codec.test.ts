import { describe, expect, test } from "vitest";
import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { checkWire } from "#kernel/rule.ts";

const rulesOf = (schema: z.ZodType, wire: unknown) => {
  const result = checkWire(schema, wire);
  return result.ok ? [] : result.issues.map((issue) => issue.rule);
};

describe("codecs read the wire and write it back", () => {
  const cases: [string, z.ZodType, unknown, unknown, unknown][] = [
    ["int", codec.int(0, 10), "7", 7, 7],
    ["flag on", codec.flag, "1", true, 1],
    ["flag off", codec.flag, 0, false, 0],
    ["ids", codec.idList, "3,5,8", [3, 5, 8], "3,5,8"],
    ["no ids", codec.idList, "", [], ""],
    ["keys", codec.keyList, "a,b", ["a", "b"], "a,b"],
    ["text is trimmed", codec.text(9), "  x ", "x", "x"],
    ["nothing", codec.orNull(codec.int(0, 9)), "", null, ""],
    ["something", codec.orNull(codec.int(0, 9)), "4", 4, 4],
    ["code", codec.code([0, 2]), "2", 2, 2],
  ];
  test.each(cases)("%s", (_, schema, wire, memory, back) => {
    const decoded = z.decode(schema, wire as never);
    expect(decoded).toEqual(memory);
    expect(z.encode(schema, decoded as never)).toEqual(back);
  });

  test("a moment is UTC text of the second", () => {
    const moment = z.decode(codec.instant, "2026-02-28 23:59:58");
    expect(moment.toISOString()).toBe("2026-02-28T23:59:58.000Z");
    expect(z.encode(codec.instant, moment)).toBe("2026-02-28 23:59:58");
    expect(rulesOf(codec.instant, "28.02.2026")).toEqual(["instant"]);
    expect(z.decode(codec.instant, "2024-02-29").toISOString()).toBe("2024-02-29T00:00:00.000Z");
    for (const none of [
      "2026-02-29",
      "2026-02-30 08:00:00",
      "2026-13-01",
      "2026-00-10",
      "2026-01-32",
      "0000-01-01",
      "2026-01-01 24:00:00",
      "2026-01-01 23:60:00",
      "2026-01-01 23:59:60",
    ])
      expect(rulesOf(codec.instant, none)).toEqual(["instant"]);
  });
});

test("an end before 1970 is refused: states count milliseconds from then on", () => {
  const first = z.decode(codec.expiry, "1970-01-01 00:00:00");
  expect(first.getTime()).toBe(0);
  expect(rulesOf(codec.expiry, "1969-12-31 23:59:59")).toEqual(["tooEarly"]);
  expect(rulesOf(codec.expiry, "soon")).toEqual(["instant"]);
});

describe("hostile numbers are refused, never rounded into something", () => {
  test.each([
    "1e3",
    "0x10",
    "+5",
    "007",
    " 5",
    "5 ",
    "",
    "NaN",
    "１２",
    "5;drop",
    "99999999999999999999",
  ])("%j is no integer", (wire) => {
    expect(rulesOf(codec.int(0, 65_535), wire)).not.toEqual([]);
  });
  test("ids with text between them", () => {
    expect(rulesOf(codec.idList, "1' OR '1'='1")).toEqual(["integer"]);
    expect(rulesOf(codec.someIds, "")).toEqual(["atLeastOne"]);
  });
});

test("a missing required field is reported as required", () => {
  const draft = z.object({ port: codec.int(1, 9), name: codec.text(5, 1) });
  expect(checkWire(draft, { name: "   " })).toEqual({
    ok: false,
    issues: [
      { path: "port", rule: "required", params: {} },
      { path: "name", rule: "required", params: {} },
    ],
  });
});
