/** What goes over the wire and how answers are read (specification sections 7 and 8). */

import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { everySession } from "@weft/contract/access.ts";
import { login } from "@weft/contract/domains/access/session.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import * as codec from "@weft/contract/kernel/codec.ts";
import { endpoint } from "@weft/contract/kernel/endpoint.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { CallError, call, setUpCalls, tokenStore } from "./call.ts";
import "./contract-texts.ts";
import { chooseLanguage, currentLanguage } from "./language.ts";
import { commonTexts } from "./texts.ts";

interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const received: Received[] = [];
let answer = "";
/** As an answer: there is none, and the connection stays. */
const silence = "…";
/** Header Authorization of the answers; null: they have none. */
let next: string | null = null;
let ended = 0;
let server: Server;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      const url = new URL(request.url ?? "/", "http://localhost");
      const { method = "", headers } = request;
      received.push({ method, path: url.pathname, query: url.searchParams, headers, body });
      if (next !== null) response.setHeader("authorization", next);
      if (answer === silence) return;
      if (answer === "") response.destroy();
      else response.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  setUpCalls({
    baseUrl: `http://127.0.0.1:${port}`,
    onSessionEnd: () => {
      ended += 1;
    },
  });
});
afterAll(async () => {
  tokenStore().clear();
  setUpCalls({ baseUrl: "", onSessionEnd: () => undefined });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  received.length = 0;
  next = null;
  tokenStore().keep("a-token", false);
});

const reads = (envelope: object): void => {
  answer = JSON.stringify(envelope);
};
const spec = {
  input: z.object({ name: codec.text(9) }),
  output: z.unknown(),
  may: everySession("a test"),
} as const;
const read = endpoint({ ...spec, id: "t.read", method: "GET", path: "/customer/t/read" });
const write = endpoint({ ...spec, id: "t.write", method: "POST", path: "/customer/t/write" });
const logTree = endpoint({
  ...spec,
  id: "t.tree",
  method: "GET",
  path: "/customer/t/tree",
  successCode: 200,
});
const failure = async (promise: Promise<unknown>): Promise<CallError> => {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof CallError)) throw new Error(`not refused: ${error}`);
  return error;
};

describe("a call", () => {
  beforeEach(() => reads({ code: 0, msg: "", data: null }));

  it("B-7-01: carries the token in the query and in the header", async () => {
    for (const one of [read, write]) await call(one, { name: "x" });
    for (const { query, headers } of received) {
      expect([query.get("token"), headers.authorization]).toEqual(["a-token", "a-token"]);
    }
    expect(received).toHaveLength(2);
  });

  it("B-7-02, B-7.1-04: a login carries loginName, password and sms, and no old token", async () => {
    const session = { userId: 1, loginName: "a", roles: [], roleType: 0, groupid: 1 };
    reads({ code: 0, msg: "", data: { token: "new", authorities: [], ...session } });
    await call(login, { loginName: "ops", password: "secret", sms: "123456" });
    const [sent] = received;
    expect([sent?.method, sent?.path]).toEqual(["POST", "/api/v1/customer/login"]);
    expect(sent?.query.size).toBe(0);
    expect(sent?.headers.authorization).toBeUndefined();
    for (const [name, value] of Object.entries({
      loginName: "ops",
      password: "secret",
      sms: "123456",
    })) {
      expect(sent?.body).toContain(`name="${name}"\r\n\r\n${value}\r\n`);
    }
  });

  it("B-7-03: a POST is form-data", async () => {
    await call(write, { name: "x" });
    expect(received[0]?.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    expect(received[0]?.body).toContain('name="name"\r\n\r\nx\r\n');
  });

  it("B-7-04: a GET has no body, and its parameters are in the query", async () => {
    await call(read, { name: "a&b 上海" });
    expect(received[0]?.body).toBe("");
    expect(received[0]?.query.get("name")).toBe("a&b 上海");
  });

  it("B-7-12: ids of a removal are joined by commas", async () => {
    await call(cpe.ops.remove, { ids: [4, 7] });
    expect(received[0]?.body).toContain('name="ids"\r\n\r\n4,7\r\n');
  });
});

describe("what the contract refuses before it is sent", () => {
  const taking = endpoint({
    id: "sheet.taking",
    method: "POST",
    path: "/customer/sheet/taking",
    input: z.object({ file: codec.file() }),
    output: z.null(),
    may: everySession("a test"),
  });

  it("reports an empty file as a sentence in both languages", async () => {
    const before = currentLanguage();
    const file = { name: "empty.csv", bytes: new Uint8Array(0) };
    for (const [language, wanted] of [
      ["zh_cn", "文件：必填项不能为空"],
      ["en_gb", "File: required"],
    ] as const) {
      chooseLanguage(language);
      const refused = await call(taking, { file }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(CallError);
      expect((refused as CallError).message.toLowerCase()).toBe(wanted.toLowerCase());
      expect((refused as CallError).issues).toMatchObject([{ path: "file", rule: "required" }]);
    }
    chooseLanguage(before);
    expect(received).toEqual([]);
  });
});

describe("an answer", () => {
  const data = { any: [1] };
  const request = () => call(read, { name: "x" });

  it("B-7-05: with code 0 resolves", async () => {
    reads({ code: 0, msg: "ok", data });
    expect((await request()).data).toEqual(data);
  });

  it("B-7-06: with code 1 rejects, with code, msg and data", async () => {
    reads({ code: 1, msg: "no", data });
    expect(await failure(request())).toMatchObject({ code: 1, message: "no", data });
  });

  it("B-7-07: with code 200 rejects for an ordinary call", async () => {
    reads({ code: 200, msg: "ok", data });
    expect(await failure(request())).toMatchObject({ kind: "refused", code: 200 });
  });

  it("B-7-08: with code 200 resolves for the log tree", async () => {
    reads({ code: 200, msg: "ok", data });
    expect((await call(logTree, { name: "x" })).data).toEqual(data);
  });

  it("B-7-09: with code 0 rejects for the log tree", async () => {
    reads({ code: 0, msg: "ok", data });
    expect(await failure(call(logTree, { name: "x" }))).toMatchObject({ kind: "refused", code: 0 });
  });

  it("B-7-10: with the text '0' is a success, and an empty text is none", async () => {
    reads({ code: "0", msg: "ok", data });
    expect((await request()).data).toEqual(data);
    reads({ code: "", msg: "", data });
    expect(await failure(request())).toMatchObject({ kind: "refused" });
  });

  it('B-7-13: rejects with "request failed" when the answer is not JSON or is truncated', async () => {
    const t = commonTexts();
    for (const key of ["call.unreadable", "call.offline"] as const) {
      expect(t(key)).toContain(t("call.failed"));
    }
    answer = "<html>";
    expect(await failure(request())).toMatchObject({
      kind: "network",
      message: t("call.unreadable"),
    });
    answer = "";
    expect(await failure(request())).toMatchObject({ kind: "network", message: t("call.offline") });
  });

  it("aborts a call without an answer in time and reports which call it was", async () => {
    answer = silence;
    const request = call(cpe.ops.combo, {}, { withinMs: 200 }).catch((error: unknown) => error);
    expect(await request).toMatchObject({
      kind: "late",
      message: commonTexts()("call.late", { seconds: 0.2 }),
    });
  });

  it("B-8-01: that ends the session rejects, after the token is cleared and the guard was notified", async () => {
    const before = ended;
    reads({ code: 500, msg: "token无效", data: null });
    expect(await failure(request())).toMatchObject({ code: 500 });
    expect(tokenStore().read()).toBeNull();
    expect(ended).toBe(before + 1);
  });

  it("that comes late to a token that is no more leaves the new session alone", async () => {
    const before = ended;
    reads({ code: 500, msg: "token无效", data: null });
    const late = failure(request());
    tokenStore().keep("next", false);
    expect(await late).toMatchObject({ code: 500 });
    expect([tokenStore().read(), ended]).toEqual(["next", before]);
  });

  it("with another code or text leaves the session alone", async () => {
    for (const [code, msg] of [
      [500, "busy"],
      [1, "token无效"],
    ] as const) {
      reads({ code, msg, data: null });
      expect(await failure(request())).toMatchObject({ code, message: msg });
      expect(tokenStore().read()).toBe("a-token");
    }
  });

  it('reports "operation failed" when the answer has no msg', async () => {
    reads({ code: 7, data: null });
    expect(await failure(request())).toMatchObject({
      kind: "refused",
      code: 7,
      message: commonTexts()("call.refused"),
    });
  });
});

describe("the header Authorization of an answer", () => {
  const request = () => call(read, { name: "x" });
  beforeEach(() => reads({ code: 0, msg: "", data: null }));

  it("B-4-10: replaces the token, and the next call carries the new one", async () => {
    next = "T2";
    await request();
    expect(tokenStore().read()).toBe("T2");
    await request();
    expect(received.map(({ headers }) => headers.authorization)).toEqual(["a-token", "T2"]);
  });

  it("replaces it also when another call of the same flight brought one before", async () => {
    const late = request();
    tokenStore().replace("T2");
    next = "T3";
    await late;
    expect(tokenStore().read()).toBe("T3");
  });

  it("leaves a session alone that began after the call", async () => {
    next = "T2";
    const late = request();
    tokenStore().keep("other", false);
    await late;
    expect(tokenStore().read()).toBe("other");
  });

  it.each([null, ""])(
    "B-4-12: leaves it alone when there is none or an empty one (%j)",
    async (none) => {
      next = none;
      await request();
      expect(tokenStore().read()).toBe("a-token");
    },
  );
});
