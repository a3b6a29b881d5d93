import { expect, test } from "vitest";
import { allEndpoints } from "#contract/all-endpoints.ts";
import { decidedCalls, wayInOf } from "#contract/ways-in.ts";
import type { Endpoint } from "#kernel/endpoint.ts";

const acting = allEndpoints.filter(({ acts, auth }) => acts && auth === "session");
const fieldsOf = ({ input }: Endpoint): string[] =>
  Object.keys((input as unknown as { shape: object }).shape);

test.each(acting.map((one) => [one.id, one] as const))(
  "%s has a decision on whether it makes a way in, and takes a password where it does",
  (id, one) => {
    const decision = wayInOf(id);
    expect(decision, `say in ways-in.ts whether ${id} makes a way in`).not.toBeNull();
    if (decision === null) return;
    const takesPassword = fieldsOf(one).includes("oldPsw");
    expect(takesPassword).toBe(!("none" in decision));
    if ("none" in decision) expect(decision.none).toMatch(/\w+ \w+/);
    if ("when" in decision) expect(decision.when).toMatch(/\w+ \w+/);
    // The calls about one's own MFA and password require the field itself.
    const ownAccount = /^(factor|auth)\./.test(id);
    expect(one.ownPassword === true).toBe("password" in decision && !ownAccount);
  },
);

test("no decision is about a call that there is not", () => {
  const ids = new Set(acting.map(({ id }) => id));
  expect(decidedCalls.filter((id) => !ids.has(id))).toEqual([]);
});
