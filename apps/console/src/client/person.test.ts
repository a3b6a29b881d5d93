import { defaultLanguage } from "@weft/contract/kernel/message.ts";
import { expect, it } from "vitest";
import { themeKey } from "./kept-display.ts";
import { languageKey } from "./kept-language.ts";
import { keepPerson, keptPerson, userKey } from "./person.ts";
import { type Store, tokenKey } from "./token.ts";

const store = (): Store => {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
};
const places = () => ({ local: store(), session: store() });
const ops = { userId: 7, loginName: "ops" };

it("B-9-01: what is kept in the browser has these names", () => {
  const keys = [tokenKey, userKey, themeKey, languageKey];
  expect(keys).toEqual(["access_token", "user", "theme", "lang"]);
  expect(defaultLanguage).toBe("zh_cn");
});

it("the person stays as long as the token: a remembered one in local storage", () => {
  const two = places();
  keepPerson(two, ops);
  expect([two.local.getItem(userKey), keptPerson(two)]).toEqual([null, ops]);
  two.local.setItem(tokenKey, "t");
  keepPerson(two, { ...ops, loginName: "other" });
  expect(two.session.getItem(userKey)).toBeNull();
  expect(keptPerson(two)).toEqual({ userId: 7, loginName: "other" });
});

it("nothing is kept but the id and the name", () => {
  const two = places();
  keepPerson(two, { ...ops, token: "secret" } as typeof ops);
  expect(two.session.getItem(userKey)).toBe('{"userId":7,"loginName":"ops"}');
});

it.each(["", "{", "7", '{"userId":"7"}', '{"userId":7,"loginName":null}'])(
  "a stored value of another origin is no person (%s)",
  (text) => {
    const two = places();
    two.local.setItem(userKey, text);
    expect(keptPerson(two)).toBeNull();
  },
);
