/** Requests that are sent before the screen that makes them, against a server that answers as the wire does. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { enrolmentList, enrolmentReject } from "@weft/contract/domains/devices/enrolment.ts";
import { consoleNumbers } from "@weft/contract/domains/monitoring/console-numbers.ts";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { forgetAhead } from "./ahead.ts";
import { answerAhead, call, sendCallsAhead, setUpCalls, tokenStore } from "./call.ts";
import { endSession } from "./session-state.ts";

const requests: string[] = [];
let answer: object;
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request.url ?? "");
    const changes = request.method === "POST";
    response.end(JSON.stringify(changes ? { code: 0, msg: "", data: null } : answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  setUpCalls({ baseUrl: `http://127.0.0.1:${port}`, onSessionEnd: endSession });
});
afterAll(async () => {
  endSession();
  setUpCalls({ baseUrl: "", onSessionEnd: () => undefined });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  forgetAhead();
  tokenStore().keep("t", false);
  answer = { code: 0, msg: "", data: [], count: 3 };
  requests.length = 0;
});

const first = { page: 1, limit: 10, state: null };
const list = () => call(enrolmentList, first);
const ahead = () => sendCallsAhead([`${enrolmentList.path}?limit=10&page=1`]);

it("answers the first call that makes the same request, whatever the order of its values", async () => {
  ahead();
  expect([(await list()).count, requests.length]).toEqual([3, 1]);
  await list();
  expect(requests.length).toBe(2);
});

it("answers none that makes another", async () => {
  ahead();
  await call(enrolmentList, { ...first, page: 2 });
  expect(requests.length).toBe(2);
});

it("has the answer at hand once it is there, and once only", async () => {
  ahead();
  expect(answerAhead(enrolmentList, first)).toBeNull();
  const there = await vi.waitUntil(() => answerAhead(enrolmentList, first), { timeout: 30_000 });
  expect([there?.answer.count, there && there.at <= Date.now()]).toEqual([3, true]);
  expect(answerAhead(enrolmentList, first)).toBeNull();
  expect(requests.length).toBe(1);
});

it("is not used after a call that changes something, nor by another session", async () => {
  ahead();
  await call(enrolmentReject, { ids: [1] });
  await list();
  expect(requests.filter((path) => path.startsWith(enrolmentList.path)).length).toBe(2);
  ahead();
  endSession();
  tokenStore().keep("u", false);
  await list();
  expect(requests.filter((path) => path.startsWith(enrolmentList.path)).length).toBe(4);
});

it("leaves a refusal to the call that makes the request", async () => {
  answer = { code: 500, msg: "no", data: null };
  ahead();
  await vi.waitUntil(() => requests.length === 1, { timeout: 30_000 });
  await expect(list()).rejects.toThrow("no");
  expect(answerAhead(consoleNumbers, {})).toBeNull();
});
