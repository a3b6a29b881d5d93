import { beforeEach, expect, test } from "vitest";
import { keepDraft, takeDraft } from "./kept-drafts.ts";

const items = new Map<string, string>();
const storage = {
  getItem: (key: string) => items.get(key) ?? null,
  setItem: (key: string, value: string) => void items.set(key, value),
  removeItem: (key: string) => void items.delete(key),
} as Storage;
beforeEach(() => items.clear());

const key = "/sdwan-system/cpe?open=edit-11 cpe";
const values = {
  alias: "SH-03",
  ids: [1, 2],
  expireTime: new Date(2031, 11, 31),
  at: { hour: 3 },
  remark: null,
};

test("a form has its values again, once", () => {
  keepDraft(key, 7, values, storage);
  expect(takeDraft("/elsewhere cpe", 7, storage)).toBeNull();
  expect(takeDraft(key, 7, storage)).toEqual(values);
  expect(takeDraft(key, 7, storage)).toBeNull();
  expect(items.size).toBe(0);
});

test("are not given to another user, and are gone after that request", () => {
  keepDraft(key, 7, values, storage);
  expect(takeDraft(key, 8, storage)).toBeNull();
  expect(takeDraft(key, 7, storage)).toBeNull();
});

test("secrets are not kept", () => {
  const secret = { newPassword: "p", oldPsw: "p", apiKey: "k", clientSecret: "s", token: "t" };
  keepDraft(key, 7, { ...secret, name: "a" }, storage);
  expect([...items.values()].join()).not.toMatch(/"p"|"k"|"s"|"t"/);
  expect(takeDraft(key, 7, storage)).toEqual({ name: "a" });
  keepDraft(key, 7, secret, storage);
  expect(items.size).toBe(0);
});

test("what is broken in the storage is nothing", () => {
  items.set("drafts", "{");
  expect(takeDraft(key, 7, storage)).toBeNull();
});
