import { expect, test } from "vitest";
import { outcomeLine } from "#domains/delivery/outcome-text.ts";
import { failedWaveText, waveFailureText } from "./wave-failure-text.ts";

test("a failed wave names the template, its version, the wave and what is worse, in both languages", () => {
  const failed = {
    template: "门店",
    version: 3,
    wave: 2,
    gate: "links" as const,
    params: { now: 1, before: 2 },
  };
  expect(failedWaveText(failed, "zh_cn")).toBe(
    "模板“门店”版本 3 第 2 批：在线链路 1 条，下发前 2 条",
  );
  expect(failedWaveText(failed, "en_gb")).toBe(
    "version 3 of template “门店”, wave 2: 1 link up, 2 before",
  );
});

test("why a device took it back is in the language of the reader", () => {
  const params = { reason: outcomeLine("unreachable", { why: "timeout" }) };
  expect(waveFailureText({ gate: "task", params }, "zh_cn")).toBe(
    "设备未接受配置：应用后无法连接控制器：timeout",
  );
});

test("why no configuration could be made is in the language of the reader", () => {
  const params = { reason: JSON.stringify({ code: "tooLarge", detail: "" }) };
  expect(waveFailureText({ gate: "task", params }, "zh_cn")).toBe(
    "设备未接受配置：某项数量超过设备上限，请减少后保存",
  );
  expect(waveFailureText({ gate: "task", params: { reason: "no port" } }, "en_gb")).toBe(
    "The device did not take it over: no port",
  );
});
