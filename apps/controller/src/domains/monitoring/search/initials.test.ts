import { expect, it } from "vitest";
import { initialsPattern } from "./text.ts";

const finds = (text: string, name: string): boolean =>
  new RegExp(initialsPattern(text) ?? "^$").test(name);

it.each([
  ["wzmd", "温州门店-01"],
  ["md", "温州门店-01"],
  ["hzzb", "杭州总部"],
  ["cq", "重庆仓库"],
  ["xm", "厦门"],
  ["cs", "长沙"],
  ["wlmq", "新疆乌鲁木齐"],
  ["heb", "哈尔滨"],
  ["lhls", "蓝海零售"],
  ["rg", "如皋"],
  ["hp", "黄埔"],
  ["cpehz", "CPE杭州"],
])("%s finds %s", (text, name) => {
  expect(finds(text, name)).toBe(true);
});

it.each([
  ["wzdm", "温州门店-01"],
  ["hz", "上海"],
  ["wm", "温州门店"],
])("%s does not find %s", (text, name) => {
  expect(finds(text, name)).toBe(false);
});

it.each(["w", "wzmdwzmdw", "10.1.1.1", "温州", "w z", "[a]"])("%s is none", (text) => {
  expect(initialsPattern(text)).toBeNull();
});
