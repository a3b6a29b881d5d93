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

test("an answer that arrives after further changes is shown and refetched once", async () => {
  const client = createQueryClient();
  const requests: { answer: (rows: string[]) => void; signal: AbortSignal }[] = [];
  const list = new QueryObserver<string[]>(client, {
    queryKey: queryKey(configItem.ops.list, { configKey: "a" }),
    queryFn: ({ signal }) => new Promise((answer) => requests.push({ answer, signal })),
  });
  const shown: unknown[] = [];
  const leave = list.subscribe(({ data }) => shown.push(data));
  requests[0]?.answer(["first"]);
  await expect.poll(() => shown.at(-1)).toEqual(["first"]);
  makeStale(client, "configItem");
  await expect.poll(() => requests).toHaveLength(2);
  // Events go on while the controller is at it.
  for (let event = 0; event < 5; event += 1) makeStale(client, "configItem");
  expect(requests).toHaveLength(2);
  expect(requests[1]?.signal.aborted).toBe(false);
  requests[1]?.answer(["late"]);
  await expect.poll(() => shown).toContainEqual(["late"]);
  await expect.poll(() => requests).toHaveLength(3);
  requests[2]?.answer(["last"]);
  await expect.poll(() => shown.at(-1)).toEqual(["last"]);
  leave();
  client.clear();
});
