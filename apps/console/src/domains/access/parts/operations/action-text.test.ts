import { allEndpoints } from "@weft/contract/all-endpoints.ts";
import { expect, test } from "vitest";
import { actionText } from "./action-text.ts";
import { operationMessages } from "./messages.ts";

test("the operation log has a text for each call that changes something", () => {
  const acting = allEndpoints.filter(({ method, acts }) => method === "POST" || acts);
  expect(acting.length).toBeGreaterThan(100);
  const nameless = acting
    .map(({ id }) => id)
    .filter((id) => actionText(id, (key) => operationMessages[key][0]) === id);
  expect(nameless, "give it a text in messages.ts beside this file").toEqual([]);
});
