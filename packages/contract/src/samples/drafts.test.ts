import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allResources, type ResourceName } from "#contract/all-endpoints.ts";
import { samples } from "#contract/samples/drafts.ts";
import { checkMemory, checkWire } from "#kernel/rule.ts";

const ids = { groupid: 1, cpeId: 2, popId: 3 };
const names = Object.keys(allResources) as ResourceName[];

/** Resources of which any number of equal rows may exist. */
const alike: ReadonlySet<ResourceName> = new Set(["alarmRule"]);

/** What a form sends: every field as text (form-data). */
const asFormData = (wire: object) =>
  Object.fromEntries(Object.entries(wire).map(([key, value]) => [key, String(value)]));

describe.each(names)("%s", (name) => {
  const draft = allResources[name].draft as z.ZodObject;
  const sample = samples[name];

  test("survives the way through form-data", () => {
    for (const memory of [sample.valid(ids), sample.edited(ids)]) {
      const wire = z.encode(draft, memory);
      expect(z.decode(draft, asFormData(wire))).toEqual(memory);
    }
  });

  test("has valid drafts for rows side by side", () => {
    const drafts = [0, 1].map((number) => {
      const mark = { name: `行-${number}`, latin: `row-${number}`, number };
      const memory = { ...sample.valid(ids), ...sample.distinct(mark) };
      const checked = checkMemory(draft, memory);
      expect(checked.ok ? [] : checked.issues).toEqual([]);
      return memory;
    });
    if (!alike.has(name)) expect(drafts[0]).not.toEqual(drafts[1]);
  });

  test.each(sample.invalid)(
    "refuses $field = $value by form and API alike",
    ({ field, value, rule, beside }) => {
      const sound = { ...sample.valid(ids), ...beside };
      const memory: Record<string, unknown> = { ...sound, [field]: value };
      const wire = {
        ...asFormData(z.encode(draft, sound)),
        [field]: value === null ? "" : String(value),
      };
      for (const result of [checkMemory(draft, memory), checkWire(draft, wire)]) {
        const issues = result.ok ? [] : result.issues;
        expect(issues).toContainEqual(
          expect.objectContaining({ path: expect.stringMatching(new RegExp(`^${field}`)), rule }),
        );
      }
    },
  );
});
