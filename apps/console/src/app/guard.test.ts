import { describe, expect, it } from "vitest";
import { broughtToken, loginFor, opensWithoutToken, wantedPath } from "./guard.ts";

describe("without a token", () => {
  it.each(["/login", "/forget", "/business-system/templatemanage", "/exception/404"])(
    "%s opens",
    (path) => expect(opensWithoutToken(path)).toBe(true),
  );

  it.each(["/", "/login/x", "/business-system/templatemanagex", "/business-system", "/screen"])(
    "%s does not: whole paths are compared",
    (path) => expect(opensWithoutToken(path)).toBe(false),
  );
});

describe("the page that was wanted", () => {
  it("comes after the login, with its query", () => {
    const login = new URL(loginFor("/sdwan-system/cpe", "?page=2&alias=上海"), "http://x");
    expect(login.pathname).toBe("/login");
    expect(wantedPath(login.search, "/home")).toBe(
      encodeURI("/sdwan-system/cpe?page=2&alias=上海"),
    );
    expect([loginFor("/", ""), loginFor("/login", "?x=1")]).toEqual(["/login", "/login"]);
  });

  it.each([
    "//example.com",
    "/\\example.com",
    "/\t/example.com",
    "https://example.com",
    "/login",
    "/login?x=1",
    "",
  ])("is only one of this console (%s)", (from) =>
    expect(wantedPath(`?from=${encodeURIComponent(from)}`, "/home")).toBe("/home"),
  );
});

describe("a token in the address", () => {
  const templates = "/business-system/templatemanage";

  it("is taken out of it, and nothing else is", () => {
    expect(broughtToken(templates, "?page=2&token=T1", "#a")).toEqual({
      token: "T1",
      address: `${templates}?page=2#a`,
    });
    expect(broughtToken(templates, "?token=", "")).toEqual({ token: "", address: templates });
  });

  it("counts on that page only", () => {
    expect(broughtToken("/sdwan-system/cpe", "?token=T1", "")).toBeNull();
    expect(broughtToken(templates, "?page=2", "")).toBeNull();
  });
});
