/** Values that no caller means well with, and values that nearly fit a schema, for generated calls. */
import * as fc from "fast-check";
import type { z } from "zod";

/** One list for each way in which text has caused harm. */
const texts = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\u0007\u001b[31m\r\nSet-Cookie: x=1",
  "\ud800",
  "a\udc00b",
  "\ufeff\u202etxt\u2066",
  "e\u0301".repeat(200),
  "👨‍👩‍👧‍👦".repeat(50),
  "' or '1'='1",
  "1; drop table weft.node; --",
  "$1",
  "%_\\",
  "\\",
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "=cmd|' /C calc'!A0",
  "@SUM(1+1)",
  "../../../../etc/passwd",
  "..%2f..%2fetc%2fpasswd",
  "file:///etc/passwd",
  "$(reboot)",
  "`reboot`",
  "; reboot #",
  `$${"{jndi:ldap://127.0.0.1/a}"}`,
  "{{7*7}}",
  "__proto__",
  "constructor",
  "toString",
  "null",
  "undefined",
  "NaN",
  "Infinity",
  "-0",
  "1e309",
  "0x10",
  "1,2,,3",
  ",",
  "1,-1",
  "9".repeat(400),
  "9223372036854775807",
  "9223372036854775808",
  "2147483648",
  "9007199254740993",
  "1.7976931348623157e308",
  "0000-00-00 00:00:00",
  "9999-12-31 23:59:59",
  "2026-02-30 25:61:61",
  "275760-09-13",
  "10.0.0.1/33",
  "::ffff:1.2.3.4/129",
  "fe80::1%eth0",
  "255.255.255.255/0",
  "#default",
];
const numbers = [
  0,
  -0,
  -1,
  1.5,
  1e21,
  -1e21,
  5e-324,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1e308,
  2147483647,
];

/** Short ones pass limits of length and get further than a refusal. */
export const shortHostileText: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom("", "a"), fc.constantFrom(...texts.filter(({ length }) => length < 14)))
  .map(([before, text]) => before + text);

const hugeText = fc
  .tuple(fc.constantFrom("a", "1,", "(", "文", "\\", " ", "1."), fc.integer({ min: 1, max: 16 }))
  .map(([part, size]) => part.repeat(size * 1_000));

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...texts) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 300 }) },
  { weight: 1, arbitrary: hugeText },
);

/** JSON within JSON, deeper than anybody needs. */
const deep = fc.integer({ min: 1, max: 2_000 }).map((depth) => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { a: value };
  return value;
});

/** Anything that JSON can say. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...numbers) },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [null], [[1]]) },
  { weight: 1, arbitrary: fc.array(fc.integer(), { maxLength: 300 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: deep },
);

/** Text that is no JSON of ours, or JSON nested as deep as a body may be long. */
export const rawBody: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 4, arbitrary: fc.json() },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.constantFrom("[", '{"a":', '{"a":['),
        fc.constantFrom(10, 10_000, 150_000),
        fc.boolean(),
      )
      .map(([open, depth, isClosed]) => {
        const close = [...open].reverse().map((sign) => ({ "[": "]", "{": "}" })[sign] ?? "");
        return `${open.repeat(depth)}1${isClosed ? close.join("").repeat(depth) : ""}`;
      }),
  },
);

interface Def {
  readonly type: string;
  readonly in?: z.ZodType;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly checks?: readonly { readonly _zod: { readonly def: Check } }[];
}
interface Check {
  readonly pattern?: RegExp;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly value?: number;
}

const defOf = (schema: z.ZodType): Def => schema._zod.def as unknown as Def;

function textOf(def: Def): fc.Arbitrary<unknown> {
  const checks = (def.checks ?? []).map(({ _zod }) => _zod.def);
  const pattern = checks.find((check) => check.pattern)?.pattern;
  if (pattern) return fc.stringMatching(pattern);
  const most = checks.find((check) => check.maximum !== undefined)?.maximum ?? 40;
  // One beyond the end as well: limits are off by one more often than by a thousand.
  return fc.string({ maxLength: Math.min(most, 2_000) + 1 });
}

function numberOf(def: Def): fc.Arbitrary<unknown> {
  const limits = (def.checks ?? []).flatMap(({ _zod }) => _zod.def.value ?? []);
  const edges = limits.flatMap((limit) => [limit - 1, limit, limit + 1]);
  return fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.constantFrom(1, 2, ...edges));
}

/**
 * Values of the wire that a schema was made for, at its limits and one step beyond them.
 * What is checked by a predicate of its own gets a plain number or text.
 */
export function wireOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  const def = defOf(schema);
  const inner = def.innerType ?? def.in;
  switch (def.type) {
    case "string":
      return textOf(def);
    case "number":
    case "int":
      return numberOf(def);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "enum":
      return fc.constantFrom<unknown>(...Object.values(def.entries ?? {}));
    case "literal":
      return fc.constantFrom<unknown>(...(def.values ?? []));
    case "union":
      return fc.oneof(...(def.options ?? []).map(wireOf));
    case "array":
      return fc.array(wireOf(def.element as z.ZodType), { maxLength: 4 });
    case "record":
      return fc.dictionary(hostileText, wireOf(def.valueType as z.ZodType), { maxKeys: 4 });
    case "object":
      return fc.record(
        Object.fromEntries(
          Object.entries(def.shape ?? {}).map(([name, field]) => [name, wireOf(field)]),
        ),
      );
    default:
      return inner ? fc.oneof(wireOf(inner), fc.constant(null)) : fc.oneof(fc.nat(9), textOf(def));
  }
}

/** The value with one of its texts, however deep, made hostile and kept short. */
function spoiltText(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value === "string") return shortHostileText;
  if (typeof value !== "object" || value === null) return fc.constant(value);
  const keys = Object.keys(value);
  if (keys.length === 0) return fc.constant(value);
  return fc.constantFrom(...keys).chain((key) =>
    spoiltText((value as Record<string, unknown>)[key]).map((inner) => {
      const copy = Array.isArray(value) ? [...value] : { ...value };
      return Object.assign(copy, { [key]: inner });
    }),
  );
}

const spoilt = (value: unknown): fc.Arbitrary<unknown> => {
  if (typeof value !== "object" || value === null) return hostileJson;
  const keys = Object.keys(value);
  if (keys.length === 0) return hostileJson;
  const changed = fc
    .tuple(fc.constantFrom(...keys), hostileJson)
    .map(([key, hostile]) => ({ ...value, [key]: hostile }));
  const added = fc
    .tuple(hostileText, hostileJson)
    .map(([key, hostile]) => ({ ...value, [key]: hostile }));
  const taken = fc
    .constantFrom(...keys)
    .map((key) => Object.fromEntries(Object.entries(value).filter(([name]) => name !== key)));
  return fc.oneof(
    { weight: 4, arbitrary: changed },
    { weight: 1, arbitrary: added },
    { weight: 1, arbitrary: taken },
  );
};

/** Values of a schema, most of them with one part made hostile. */
export const nearly = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 1, arbitrary: values },
    { weight: 3, arbitrary: values.chain(spoilt) },
    { weight: 3, arbitrary: values.chain(spoiltText) },
    { weight: 1, arbitrary: hostileJson },
  );
