import { expect, test } from "vitest";
import { outcomeLine, outcomeText } from "./outcome-text.ts";

test("a reason is read in the user's language, and in English as it was written", () => {
  const late = outcomeLine("late", { seconds: 150, done: 3, steps: 9 });
  expect(late).toBe("the apply took more than 150 s, for 3 of 9 steps");
  expect(outcomeText(late, "en_gb")).toBe(late);
  expect(outcomeText(late, "zh_cn")).toBe("应用超过 150 秒，完成 3/9 步");
});

test("a reason inside of another is read as well", () => {
  const cause = outcomeLine("stopped", { phase: "applied" });
  const whole = outcomeLine("incomplete", { cause, left: "nft: busy" });
  expect(outcomeText(whole, "zh_cn")).toBe(
    "边缘程序在配置已应用、等待确认时停止，控制器尚未确认该配置；回退未完成：nft: busy",
  );
  expect(outcomeText(whole, "en_gb")).toBe(whole);
});

test("output of a program, of several lines too, is not changed", () => {
  const why = "RTNETLINK answers: File exists\nexit code 2 ({node})";
  expect(outcomeText(`tunnel: add wl1: ${why}`, "zh_cn")).toBe(`tunnel: add wl1: ${why}`);
  const refused = outcomeLine("unconfirmed", { why });
  expect(outcomeText(refused, "zh_cn")).toBe(`控制器未确认该配置：${why}`);
});
