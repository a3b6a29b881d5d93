import { popStrategy } from "@weft/contract/domains/overlay/pop-strategy.ts";
import { expect, test } from "vitest";
import { known, renderForTest } from "#client/render-for-test.tsx";
import type { ShownField } from "./field-value.tsx";
import { mergeOf } from "./merge.ts";
import { MergePanel } from "./merge-panel.tsx";

const options = [
  { value: 7, label: "Shanghai" },
  { value: 8, label: "Beijing" },
];
const fields = new Map<string, ShownField>(
  (
    [
      { name: "popId", label: "Entry point", kind: "select", options },
      { name: "cpeIds", kind: "select", options },
      { name: "defaultPopStrategyId", kind: "combo", endpoint: popStrategy.ops.combo },
      { name: "txbps", format: (value) => `${Number(value) / 1e6} Mbit/s` },
      { name: "logDays", unit: "days" },
    ] satisfies ShownField[]
  ).map((field) => [field.name, field]),
);
const answers = [
  known(popStrategy.ops.combo, {}, [
    { id: 3, name: "Nearest" },
    { id: 4, name: "Cheapest" },
  ] as never),
];

const panel = (base: object, mine: object, stored: object): string => {
  const values = { base, mine, stored } as Record<
    "base" | "mine" | "stored",
    Record<string, unknown>
  >;
  const merge = mergeOf(values.base, values.mine, values.stored);
  const met = { ...values, changes: [], merge };
  const form = { values: values.mine, set: () => undefined, fields };
  const html = renderForTest(<MergePanel met={met} form={form} />, [], answers);
  return html
    .replaceAll("<!-- -->", "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");
};

test.each([
  ["options by their labels", "popId", 7, 8, "Entry point Shanghai → Beijing"],
  ["several of them", "cpeIds", [7], [7, 8], "Shanghai → Shanghai"],
  ["choices that are called for", "defaultPopStrategyId", 3, 4, "Nearest → Cheapest"],
  ["rates in the unit of their field", "txbps", 64_000_000, 8_000_000, "64 Mbit/s → 8 Mbit/s"],
  ["units of numbers", "logDays", 30, 90, "30 days → 90 days"],
  ["what the form has no field for, by the contract", "enable", true, false, "启用 → 停用"],
])("what someone else changed shows %s", (_, name, old, now, expected) => {
  expect(panel({ [name]: old }, { [name]: old }, { [name]: now })).toContain(expected);
});

test("a value that both changed shows both as the form does", () => {
  const html = panel({ txbps: 1e6 }, { txbps: 2e6 }, { txbps: 3e6 });
  expect(html).toContain("2 Mbit/s");
  expect(html).toContain("3 Mbit/s");
  expect(html).not.toMatch(/\d000000/);
});
