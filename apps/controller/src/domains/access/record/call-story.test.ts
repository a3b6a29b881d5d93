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

test("what devices and the controller do by themselves is said, and is no operation on settings", () => {
  expect(storyOfCall("edge", "report")).toEqual([
    "设备上报了新的线路地址、隧道密钥或能力",
    "A device reported a new line address, tunnel key or capability",
  ]);
  const causes = ["edge: report", "edge: replaced", "edge: of a later release", "system: expired"];
  for (const cause of [
    ...causes,
    "system: links",
    "system: standby",
    "system: of a later release",
  ]) {
    const [by = "", action = ""] = cause.split(": ");
    const story = storyOfCall(by, action);
    expect(story.join(" "), cause).not.toMatch(/performed an operation|操作了/);
    expect(story[0], cause).toMatch(/设备|控制器/);
    expect(story[1], cause).toMatch(/device|controller/);
  }
  expect(storyOfCall("system", "routerTemplateRollout.step")[1]).toMatch(/^The controller/);
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
