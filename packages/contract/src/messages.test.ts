import { describe, expect, test } from "vitest";
import { allEndpoints, allResources } from "#contract/all-endpoints.ts";
import { contractMessages, findMessage } from "#contract/messages.ts";
import { formatMessage, placeholdersOf } from "#kernel/message.ts";

describe("texts", () => {
  test.each(Object.values(allResources).map((resource) => [resource.name, resource] as const))(
    "every field of a %s draft, and the id of its rows, has its name in both languages",
    (_, resource) => {
      const missing = [...Object.keys(resource.draft.shape), resource.id].filter(
        (field) => !findMessage(`field.${field}`),
      );
      expect(missing).toEqual([]);
    },
  );

  // What a browser or a program fills in, and no person reads in a sentence.
  const silent = ["site", "response", "policy"];
  test.each(allEndpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
    "every field that %s takes has its name in both languages, for the sentence that refuses it",
    (_, { input }) => {
      const shape = (input as { shape?: object }).shape ?? {};
      const named = Object.keys(shape).filter((field) => !silent.includes(field));
      expect(named.filter((field) => !findMessage(`field.${field}`))).toEqual([]);
    },
  );

  test("both languages of a text have the same placeholders", () => {
    const holes = (text: string) => placeholdersOf(text).sort();
    for (const [key, [zh, en]] of Object.entries(contractMessages)) {
      expect(holes(en), key).toEqual(holes(zh));
    }
  });

  test("a placeholder without a value stays visible", () => {
    expect(formatMessage(["{a}", "a {a} b {b}"], "en_gb", { a: 1 })).toBe("a 1 b {b}");
  });

  test.each([
    [1, "1 row is left"],
    [0, "0 rows are left"],
    ["1", "1 row is left"],
    ["1,234", "1,234 rows are left"],
  ])("English of %s has its singular or plural", (count, text) => {
    const message = ["剩余 {count} 行", "{count|row is|rows are} left"] as const;
    expect(formatMessage(message, "en_gb", { count })).toBe(text);
    expect(formatMessage(message, "zh_cn", { count })).toBe(`剩余 ${count} 行`);
  });
});

test("no two endpoints share a path or an id", () => {
  expect(new Set(allEndpoints.map((endpoint) => endpoint.path)).size).toBe(allEndpoints.length);
  expect(new Set(allEndpoints.map((endpoint) => endpoint.id)).size).toBe(allEndpoints.length);
});
