import { expect, test } from "vitest";
import { digestIn, renderDenied } from "./filters-render.ts";

const rule = (denies: boolean, ...names: string[]) => ({
  id: 1,
  names,
  denies,
  sources: null,
  time: null,
});
const lines = (...rules: ReturnType<typeof rule>[]) =>
  renderDenied(rules, ["10.0.0.1"], "d1").trim().split("\n").slice(1);

test("a name is denied by itself, and what is below it is not", () => {
  expect(lines(rule(true, "a.example"))).toEqual([
    "server=10.0.0.1",
    "server=/a.example/",
    "server=/*.a.example/#",
  ]);
});

test("what is below a name is denied, and it is not itself", () => {
  expect(lines(rule(true, "*.a.example"))).toEqual([
    "server=10.0.0.1",
    "server=/a.example/#",
    "server=/*.a.example/",
  ]);
});

test("the first rule about a name decides, whichever is the more specific one", () => {
  expect(lines(rule(false, "www.a.example"), rule(true, "*.a.example", "a.example"))).toEqual([
    "server=10.0.0.1",
    "server=/a.example/",
    "server=/*.a.example/",
    "server=/www.a.example/#",
    "server=/*.www.a.example/",
  ]);
  expect(lines(rule(true, "*.a.example"), rule(false, "www.a.example"))).toEqual([
    "server=10.0.0.1",
    "server=/a.example/#",
    "server=/*.a.example/",
    "server=/www.a.example/",
    "server=/*.www.a.example/",
  ]);
});

test("a list names what it is made of, and another file does not", () => {
  expect(digestIn(renderDenied([rule(true, "a.example")], [], "d1"))).toBe("d1");
  expect(digestIn("server=10.0.0.1\n")).toBeNull();
});

test("names are in small letters, whatever they were written in", () => {
  const rules = [rule(false, "WWW.A.example"), rule(true, "*.a.Example", "XN--A.example")];
  expect(renderDenied(rules, ["10.0.0.1"], "d1").trim().split("\n").slice(2)).toEqual([
    "server=/a.example/#",
    "server=/*.a.example/",
    "server=/www.a.example/#",
    "server=/*.www.a.example/",
    "server=/xn--a.example/",
    "server=/*.xn--a.example/#",
  ]);
});
