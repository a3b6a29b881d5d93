import { expect, test } from "vitest";
import type { z } from "zod";
import { allEndpoints } from "#contract/all-endpoints.ts";
import { findMessage } from "#contract/messages.ts";
import { wireSchema } from "#contract/open-api/wire-schema.ts";
import { formatMessage, languages } from "#kernel/message.ts";
import { checkWire } from "#kernel/rule.ts";

/** Every field with a lowest or highest value, once a name and limit. */
const limits = new Map<string, { schema: z.ZodType; wrong: number }>();
for (const { input } of allEndpoints) {
  const { shape = {} } = input as { shape?: Record<string, z.ZodType> };
  for (const [field, schema] of Object.entries(shape)) {
    const json = wireSchema(schema) as { minimum?: number; maximum?: number; anyOf?: object[] };
    const { minimum, maximum } = { ...(json.anyOf?.[0] as typeof json), ...json };
    // 0 is an untouched reference, where it may be missing.
    const below = minimum === 1 && json.anyOf ? -1 : (minimum ?? 0) - 1;
    if (minimum !== undefined) limits.set(`${field} >= ${minimum}`, { schema, wrong: below });
    if (maximum !== undefined) limits.set(`${field} <= ${maximum}`, { schema, wrong: maximum + 1 });
  }
}
const units = { "bit/s": 1, "kbit/s": 1e3, "Mbit/s": 1e6, "Gbit/s": 1e9 } as const;

test("there are limits to check", () => {
  expect(limits.size).toBeGreaterThan(60);
  expect([...limits.keys()]).toEqual(expect.arrayContaining(["txbps >= 64000", "vlan <= 4094"]));
});

test.each([...limits])("%s: what is past it is refused, with the right message", (name, one) => {
  const checked = checkWire(one.schema, String(one.wrong));
  if (checked.ok) throw new Error(`${one.wrong} is accepted`);
  const [issue] = checked.issues;
  for (const language of languages) {
    const sentence = formatMessage(
      findMessage(`rule.${issue?.rule}`) ?? ["", ""],
      language,
      issue?.params,
    );
    expect(sentence).not.toBe("");
    expect(sentence).not.toMatch(/\{\w+\}|NaN|undefined/);
    if (issue?.rule !== "bandwidth") continue;
    // Fields of rates are in bit/s or kbit/s; the texts say the same rates of all.
    const rates = [...sentence.matchAll(/([\d.]+) ([kMG]?bit\/s)/g)].map(
      ([, value, unit]) => Number(value) * units[unit as keyof typeof units],
    );
    expect([name, rates]).toEqual([name, [64_000, 100_000_000_000]]);
  }
});
