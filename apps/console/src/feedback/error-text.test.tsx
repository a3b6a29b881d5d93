import { expect, it } from "vitest";
import { CallError } from "#client/call.ts";
import { renderForTest } from "#client/render-for-test.tsx";
import { ErrorText } from "./error-text.tsx";

const requestId = "req-7f3a";

const textOf = (message: string): string =>
  renderForTest(
    <ErrorText error={new CallError("refused", message, { code: 501, requestId })} />,
    [],
  )
    .replace(/<!-- -->/g, "")
    .replace(/<[^>]*>/g, "");

it.each([
  ["beside a text without it", "端口已被占用", `端口已被占用 请求编号 ${requestId}`],
  [
    "in a text that contains it",
    `系统错误，请求编号 ${requestId}。`,
    `系统错误，请求编号 ${requestId}。`,
  ],
])("the request id appears once, %s", (_where, message, shown) => {
  expect(textOf(message)).toBe(shown);
});
