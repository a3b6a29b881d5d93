import { allEndpoints } from "@weft/contract/all-endpoints.ts";
import { expect, test } from "vitest";
import { storyOfCall } from "./call-story.ts";

test("a removal whose row of the log is out of sight is named in both languages", () => {
  expect(storyOfCall("admin", "blacklist.remove")).toEqual([
    "admin 删除了黑名单",
    "admin deleted blacklist entry",
  ]);
  expect(storyOfCall("system", "routeNotice.add")[0]).toMatch(/^控制器新增了/);
});

test("no call shows its id, or the key of what it is about", () => {
  const raw = allEndpoints
    .filter(({ method, acts }) => method === "POST" || acts)
    .map(({ id }) => ({ id, story: storyOfCall("admin", id) }))
    .filter(({ id, story }) => {
      const module = id.split(".").slice(0, -1).join(".");
      const isRaw = (text: string) => text.includes(id) || /[{}]/.test(text);
      // "CPE" is a word of both languages; a key in camel case is none.
      return story.some(isRaw) || (/[a-z][A-Z]/.test(module) && story[0].includes(module));
    });
  expect(raw).toEqual([]);
});
