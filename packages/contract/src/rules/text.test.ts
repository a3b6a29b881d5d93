import { describe, expect, test } from "vitest";
import * as codec from "#kernel/codec.ts";
import { checkWire } from "#kernel/rule.ts";
import { joinIds } from "./conversions.ts";
import { hasSelection } from "./rows.ts";
import { isEmail, isUrl, oldPassword } from "./text.ts";

describe("an e-mail address (RFC 5321)", () => {
  const label = "a".repeat(63);
  test.each([
    "n%n@example.com",
    "o'hara+tag@example.com",
    `${"l".repeat(64)}@example.com`,
    `a@${label}.com`,
    "a@1.example.cn",
    "a@b.xn--p1ai",
  ])("%s", (text) => expect(isEmail(text)).toBe(true));
  test.each([
    "a@b-.com",
    "a@-b.com",
    `${"l".repeat(65)}@example.com`,
    `a@${label}a.com`,
    "a.@example.com",
    "a..b@example.com",
    "a@192.0.2.1",
    "a@example.com.",
    `a@${`${label}.`.repeat(4)}com`,
  ])("not %s", (text) => expect(isEmail(text)).toBe(false));
});

test("a URL has a port from 1 to 65535, or none, and a host of whole labels", () => {
  for (const text of ["http://a.cn:1", "http://a.cn:65535/x", "https://a.cn"])
    expect([text, isUrl(text)]).toEqual([text, true]);
  for (const text of ["http://a.cn:0", "http://a.cn:0/x", "http://a.cn:65536", "http://a-.cn"])
    expect([text, isUrl(text)]).toEqual([text, false]);
});

test("an old password of nothing but white space is none", () => {
  for (const blank of ["", " ", "\t", "　"])
    expect(checkWire(oldPassword, blank)).toMatchObject({
      ok: false,
      issues: [{ rule: "required" }],
    });
  expect(checkWire(oldPassword, " a b ")).toEqual({ ok: true, value: " a b " });
});

test("blank entries of a selection do not count, in a list and in a joined text", () => {
  expect([hasSelection([1, null]), hasSelection([null, " "])]).toEqual([true, false]);
  expect(joinIds([8, " ", null, "9"])).toBe("8,9");
  for (const ids of [[1, null, "3"], "1,,3", "1, ,3"])
    expect(checkWire(codec.someIds, ids)).toEqual({ ok: true, value: [1, 3] });
  expect(checkWire(codec.someIds, [null])).toMatchObject({ issues: [{ rule: "atLeastOne" }] });
  expect(checkWire(codec.someIds, [1, "x"])).toMatchObject({ ok: false });
});

test('0 means "not set" for an optional reference', () => {
  for (const none of [0, "0", "", undefined])
    expect(checkWire(codec.orNull(codec.id), none)).toEqual({ ok: true, value: null });
  expect(checkWire(codec.id, 0)).toMatchObject({ ok: false });
  expect(checkWire(codec.orNull(codec.int(0, 9)), 0)).toEqual({ ok: true, value: 0 });
});
