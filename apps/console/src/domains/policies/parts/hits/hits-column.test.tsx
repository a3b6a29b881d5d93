import type { Grant } from "@weft/contract/access.ts";
import { hitSummary } from "@weft/contract/domains/policies/policy-hits.ts";
import { expect, it } from "vitest";
import { known, renderForTest } from "#client/render-for-test.tsx";
import { useHitsColumns } from "./hits-column.tsx";

interface Row {
  readonly id: number;
  readonly name: string;
}
const rows: readonly Row[] = [
  { id: 4, name: "guests" },
  { id: 5, name: "never" },
];

function Cells({ family }: { readonly family: string }) {
  const columns = useHitsColumns<Row>({
    family,
    rows,
    idOf: ({ id }) => id,
    nameOf: ({ name }) => name,
  });
  return rows.flatMap((row) =>
    columns.map(({ key, title, cell }) => (
      <p key={`${key} ${row.id}`}>
        {title}: {cell(row)}
      </p>
    )),
  );
}

const shown = (family: string, grants: readonly Grant[] = ["/sdwan-system/cpe"]): string =>
  renderForTest(<Cells family={family} />, grants, [
    known(hitSummary, { family: "xaclrules", ids: [4, 5] }, [
      { id: 4, count: 12_345, lastTime: new Date(Date.now() - 300_000) },
      { id: 5, count: 0, lastTime: null },
    ]),
  ]);

it("shows the hits of each rule and when the last one was", () => {
  const text = shown("xaclrules").replace(/<[^>]*>/g, "");
  expect(text).toMatch(/(24 小时命中|Hits in 24 h): .*5.*12,345/s);
  expect(shown("xaclrules")).toMatch(/aria-label="(“guests”的命中：|Hits of “guests”: )12,345"/);
  expect(shown("xaclrules")).toMatch(/title="(90 天内无命中|None in the last 90 days)"/);
});

it("has no column where nothing counts, nor for who may not read the hits of devices", () => {
  expect(shown("routerUrlrule")).not.toMatch(/命中|Hits/);
  expect(shown("xaclrules", ["routerTemplateView"])).not.toMatch(/命中|Hits/);
});
