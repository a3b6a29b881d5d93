import { expect, test } from "vitest";
import { createImportSlots } from "./import-slots.ts";

const one = { userId: 1, enterpriseId: 1 };

test("two files are read at a time, and one user or enterprise does not take the turns of others", async () => {
  const slots = createImportSlots();
  const ends: (() => void)[] = [];
  let running = 0;
  const work = async (): Promise<void> => {
    running += 1;
    await new Promise<void>((resolve) => ends.push(resolve));
    running -= 1;
  };
  const own = [slots.run(one, work), slots.run(one, work)];
  await expect(slots.run(one, work)).rejects.toMatchObject({ code: "unavailable" });
  const colleagues = [2, 3].map((userId) => slots.run({ userId, enterpriseId: 1 }, work));
  await expect(slots.run({ userId: 4, enterpriseId: 1 }, work)).rejects.toMatchObject({
    code: "unavailable",
  });
  const stranger = slots.run({ userId: 5, enterpriseId: 2 }, work);
  expect(running).toBe(2);
  for (let left = 5; left > 0; left -= 1) {
    await expect.poll(() => ends.length).toBeGreaterThan(0);
    expect(running).toBeLessThanOrEqual(2);
    ends.shift()?.();
  }
  await Promise.all([...own, ...colleagues, stranger]);
  // What has ended counts no more.
  const again = slots.run(one, work);
  await expect.poll(() => ends.length).toBe(1);
  ends.shift()?.();
  await again;
});
