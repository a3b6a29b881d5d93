import { describe, expect, it } from "vitest";
import { cookieStore, createTokenStore, type Store, tokenKey } from "./token.ts";

const memory = (): Store & { values: Map<string, string> } => {
  const values = new Map<string, string>();
  return {
    values,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
};

const stores = () => ({ local: memory(), session: memory(), cookie: memory() });

describe("the session token", () => {
  it("is read from local storage, then session storage, then the cookie (A-58)", () => {
    const all = stores();
    const tokens = createTokenStore(all);
    expect(tokens.read()).toBeNull();
    all.cookie.setItem(tokenKey, "c");
    expect(tokens.read()).toBe("c");
    all.session.setItem(tokenKey, "s");
    expect(tokens.read()).toBe("s");
    all.local.setItem(tokenKey, "l");
    expect(tokens.read()).toBe("l");
  });

  it("stays in local storage when remembered, and in the cookie", () => {
    const all = stores();
    createTokenStore(all).keep("a", true);
    expect([all.local, all.session, all.cookie].map((one) => one.getItem(tokenKey))).toEqual([
      "a",
      null,
      "a",
    ]);
  });

  it("stays in session storage when not remembered, and in the cookie", () => {
    const all = stores();
    createTokenStore(all).keep("a", false);
    expect([all.local, all.session, all.cookie].map((one) => one.getItem(tokenKey))).toEqual([
      null,
      "a",
      "a",
    ]);
  });

  it("is replaced where it was", () => {
    for (const isRemembered of [true, false]) {
      const all = stores();
      const tokens = createTokenStore(all);
      tokens.keep("old", isRemembered);
      tokens.replace("new");
      expect(tokens.read()).toBe("new");
      expect((isRemembered ? all.local : all.session).getItem(tokenKey)).toBe("new");
      expect((isRemembered ? all.session : all.local).getItem(tokenKey)).toBeNull();
    }
  });

  it("comes newest to a second tab of the same browser", () => {
    const first = stores();
    const second = { ...first, session: memory() };
    createTokenStore(first).keep("old", false);
    const [one, other] = [createTokenStore(first), createTokenStore(second)];
    expect(other.read()).toBe("old");
    other.replace("new");
    one.follow("old", "new");
    expect(one.read()).toBe("new");
    // A session that began meanwhile is another one.
    one.keep("mine", false);
    one.follow("old", "new");
    expect(one.read()).toBe("mine");
  });

  it("outlives the cookie when remembered", () => {
    const all = stores();
    createTokenStore(all).keep("a", true);
    all.cookie.values.clear();
    expect(createTokenStore(all).read()).toBe("a");
  });

  it("is gone everywhere once cleared", () => {
    const all = stores();
    const tokens = createTokenStore(all);
    tokens.keep("a", true);
    tokens.keep("b", false);
    tokens.clear();
    expect(tokens.read()).toBeNull();
    expect([all.local, all.session, all.cookie].every((one) => one.values.size === 0)).toBe(true);
  });
});

/** A document's cookies, as far as they matter here. */
const jar = () => {
  const kept = new Map<string, string>();
  const written: string[] = [];
  return {
    written,
    get cookie() {
      return [...kept].map(([key, value]) => `${key}=${value}`).join("; ");
    },
    set cookie(line: string) {
      written.push(line);
      const [pair = ""] = line.split("; ");
      const [key = "", value = ""] = pair.split("=");
      if (line.includes("max-age=0")) kept.delete(key);
      else kept.set(key, value);
    },
  };
};

describe("the cookie", () => {
  it("is written for this site only, and secure where the page is", () => {
    const cookies = jar();
    cookieStore(cookies, true).setItem("access_token", "a=b; c");
    expect(cookies.written).toEqual(["access_token=a%3Db%3B%20c; path=/; samesite=strict; secure"]);
  });

  it("reads what was written beside other values", () => {
    const cookies = jar();
    cookies.cookie = "other_access_token=no";
    const store = cookieStore(cookies, false);
    expect(store.getItem("access_token")).toBeNull();
    store.setItem("access_token", "a=b; c");
    expect(store.getItem("access_token")).toBe("a=b; c");
    store.removeItem("access_token");
    expect(store.getItem("access_token")).toBeNull();
  });
});
