import { describe, expect, it } from "vitest";
import { likelyView } from "./screen-ahead.ts";

describe("the screen whose files are fetched before the menus are known", () => {
  it.each([
    ["/sdwan-system/cpe", "", "CpeManage"],
    ["/sdwan-system/cpe", "?page=2", "CpeManage"],
    ["/sdwan-system/cpe/cpeSet/7", "", "CpeSet"],
    ["/login", "?from=%2Fsdwan-system%2Fpop%3Fpage%3D2", "PopManage"],
  ])("of %s%s is %s", (pathname, search, view) => {
    expect(likelyView(pathname, search)).toBe(view);
  });

  it.each(["/", "/login", "/no-such-page", "/sdwan-system/cpe/cpeSet/7/x/y"])(
    "%s is not known",
    (pathname) => expect(likelyView(pathname, "")).toBeNull(),
  );
});
