import { expect, test } from "vitest";
import { hashPassword, passwordFits } from "./password.ts";

test("a hash is argon2id with a salt of its own, and fits its password only", async () => {
  const [one, two] = await Promise.all([hashPassword("s3cret"), hashPassword("s3cret")]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(two);
  expect(await passwordFits(one, "s3cret")).toBe(true);
  expect(await passwordFits(one, "S3cret")).toBe(false);
  expect(await passwordFits(null, "no account has this hash")).toBe(false);
});

test("composed and decomposed letters are the same password", async () => {
  expect(await passwordFits(await hashPassword("e\u0301te1"), "\u00e9te1")).toBe(true);
});

test("a flood waits in line, and past a point is rejected immediately", async () => {
  const hash = await hashPassword("s3cret");
  const results = await Promise.allSettled(
    Array.from({ length: 90 }, () => passwordFits(hash, "s3cret")),
  );
  const refused = results.filter(({ status }) => status === "rejected");
  expect(refused.length).toBeGreaterThan(10);
  expect(refused.length).toBeLessThan(90 - 64);
  expect(refused[0]).toMatchObject({ reason: { code: "unavailable" } });
  expect(await passwordFits(hash, "s3cret")).toBe(true);
}, 60_000);
