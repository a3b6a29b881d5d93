import { expect, test } from "vitest";
import { placementIssue } from "./store.ts";

test.each([
  ["a new one below a seen parent", { id: null, lineage: [4, 1], top: 1 }, undefined],
  ["below a parent that is not seen", { id: null, lineage: [], top: 1 }, "unknown"],
  ["below itself", { id: 4, lineage: [4, 1], top: null }, "cycle"],
  ["below its own child", { id: 4, lineage: [9, 4, 1], top: null }, "cycle"],
  ["beside itself", { id: 4, lineage: [5, 1], top: 1 }, undefined],
  ["where the way up is not seen whole", { id: 4, lineage: [5], top: 1 }, "notAllowed"],
])("%s", (_, placement, rule) => expect(placementIssue(placement)?.rule).toBe(rule));
