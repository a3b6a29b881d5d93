import { expect, test } from "vitest";
import { Outage } from "./outage.ts";

test("an outage is logged when it begins, when its reason changes and when it is over", () => {
  const logged: unknown[] = [];
  const say = (facts: object, text: string) => logged.push([facts, text]);
  const outage = new Outage({ warn: say, info: say } as never, "no store");
  outage.over();
  for (let n = 0; n < 5; n++) outage.failed(new Error("refused"));
  outage.failed(new Error("wrong password"));
  expect(outage.count).toBe(6);
  outage.over();
  outage.failed(new Error("refused"));
  expect(logged).toEqual([
    [{ why: "refused", failures: 1 }, "no store"],
    [{ why: "wrong password", failures: 6 }, "no store"],
    [{ failures: 6 }, "over: no store"],
    [{ why: "refused", failures: 1 }, "no store"],
  ]);
});
