import { expect, test } from "vitest";
import { placePath } from "./place-link.tsx";
import type { Operation } from "./record-texts.ts";

const about = (place: Partial<Operation>): string | null =>
  placePath({ nodeId: null, nodeKind: null, templateId: null, ...place } as Operation);

test("an operation leads to its device, or else to its template", () => {
  expect(about({ nodeId: 7, nodeKind: "cpe", templateId: 3 })).toMatch(/cpeTable\/detail\?id=7$/);
  expect(about({ nodeId: 7, nodeKind: "pop" })).toMatch(/popTable\/detail\?id=7$/);
  expect(about({ templateId: 3 })).toMatch(/business\/template\/add\?templateId=3$/);
});

test("a device that is gone or out of sight has no address", () => {
  expect(about({ nodeId: 7 })).toBeNull();
  expect(about({})).toBeNull();
});
