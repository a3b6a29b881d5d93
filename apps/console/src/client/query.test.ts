/** What becomes of answers that were asked for before the rows changed. */
import { QueryObserver } from "@tanstack/react-query";
import { configItem } from "@weft/contract/domains/enterprises/config-item.ts";
import { expect, test } from "vitest";
import { createQueryClient, makeStale, queryKey } from "./query.ts";

test("a list that loads for the first time while a row is removed does not keep the row", async () => {
  const client = createQueryClient();
  const answers: ((rows: string[]) => void)[] = [];
  const list = new QueryObserver<string[]>(client, {
    queryKey: queryKey(configItem.ops.list, { configKey: "a" }),
    queryFn: () => new Promise((resolve) => answers.push(resolve)),
  });
  const shown: unknown[] = [];
  const leave = list.subscribe(({ data }) => shown.push(data));
  expect(answers).toHaveLength(1);
  // The server has read the rows, its answer is on its way, and the removal is through before it.
  makeStale(client, "configItem");
  answers[0]?.(["a"]);
  await expect.poll(() => answers).toHaveLength(2);
  answers[1]?.([]);
  await expect.poll(() => shown.at(-1)).toEqual([]);
  expect(client.isFetching()).toBe(0);
  leave();
  client.clear();
});
