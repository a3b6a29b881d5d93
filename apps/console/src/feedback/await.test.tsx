import { isValidElement, type ReactNode } from "react";
import { expect, test } from "vitest";
import { CallError } from "#client/call.ts";
import { Await } from "./await.tsx";
import { Failed, Loading } from "./empty-state.tsx";

const error = new CallError("refused", "no");
const shown = (data: string | undefined, failure: CallError | null): ReactNode =>
  Await({ result: { data, error: failure, refetch: () => undefined }, children: (it) => it });
const typeOf = (node: ReactNode) => (isValidElement(node) ? node.type : node);

test("an answer stays when a later refresh fails", () => {
  expect(shown("rows", error)).toBe("rows");
  expect(shown("rows", null)).toBe("rows");
});

test("shows a loading or an error state while there is no answer", () => {
  expect(typeOf(shown(undefined, null))).toBe(Loading);
  expect(typeOf(shown(undefined, error))).toBe(Failed);
});
