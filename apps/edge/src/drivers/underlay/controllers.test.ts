import { expect, test } from "vitest";
import { Controllers } from "./observe.ts";

test("a resolver that does not answer holds up nothing, and its late answer is used", async () => {
  let answer: (found: { address: string }[]) => void = () => undefined;
  const asked: string[] = [];
  const controllers = new Controllers((name) => {
    asked.push(name);
    return new Promise((resolve) => {
      answer = resolve;
    });
  });
  const hosts = ["controller.example:443", "192.0.2.1:443"];
  expect(await controllers.addresses(hosts)).toEqual(["192.0.2.1"]);
  // It is asked once, however often the machine is looked at.
  expect(await controllers.addresses(hosts)).toEqual(["192.0.2.1"]);
  expect(asked).toEqual(["controller.example"]);
  answer([{ address: "203.0.113.7" }, { address: "127.0.0.1" }]);
  await expect
    .poll(() => controllers.addresses(hosts), { timeout: 30_000 })
    .toEqual(["203.0.113.7", "192.0.2.1"]);
}, 60_000);

test("a resolver that fails leaves controllers with an address reachable by it", async () => {
  const controllers = new Controllers(() => Promise.reject(new Error("EAI_AGAIN")));
  const hosts = ["controller.example:443", "[2001:db8::1]:443"];
  expect(await controllers.addresses(hosts)).toEqual(["2001:db8::1"]);
});
