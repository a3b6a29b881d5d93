import { expect, test } from "vitest";
import { compileFailureText } from "./failure-text.ts";

test("a failure is a sentence in each language, and one of an earlier release as it was kept", () => {
  const stored = JSON.stringify({ code: "tooLarge", detail: "firewall acl ≤ 10000" });
  expect(compileFailureText(stored, "zh_cn")).toBe(
    "某项数量超过设备上限，请减少后保存 (firewall acl ≤ 10000)",
  );
  expect(compileFailureText(stored, "en_gb")).toMatch(
    /^there are more .* \(firewall acl ≤ 10000\)$/,
  );
  expect(compileFailureText('{"code": "broken", "detail": ""}', "zh_cn")).not.toContain("(");
  expect(compileFailureText("acl: at most 10000", "zh_cn")).toBe("acl: at most 10000");
  expect(compileFailureText("{of a device", "zh_cn")).toBe("{of a device");
  expect(compileFailureText('{"code": "later", "detail": ""}', "zh_cn")).toContain("later");
});
