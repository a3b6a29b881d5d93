import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allEndpoints } from "@weft/contract/all-endpoints.ts";
import fastify from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type TestApi, testApi } from "../../test/api.ts";
import { serveConsole } from "./console-files.ts";
import { serveHealth, watchHealth } from "./health.ts";
import { secureHeaders } from "./security-headers.ts";

let api: TestApi;
let folder: string;
let workerWorks = false;
let databaseWorks = true;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "weft-console-"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "<p>console</p>");
  await writeFile(join(folder, "assets", "index-1a2b.js"), "1");
  await writeFile(join(folder, "assets", "index-1a2b.js.br"), "br of 1");
  await writeFile(join(folder, "assets", "index-1a2b.js.gz"), "gz of 1");
  await writeFile(join(folder, "index.html.gz"), "gz of console");
  await writeFile(join(folder, ".env"), "secret");
  api = await testApi(
    (app) =>
      serveHealth(
        app,
        watchHealth(
          {
            database: () => databaseWorks,
            worker: () => (workerWorks ? true : Promise.reject(new Error("not yet"))),
          },
          { measures: () => false },
        ),
      ),
    folder,
  );
}, 60_000);
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true });
});

const browse = (url: string, accept = "text/html") =>
  api.app.inject({ method: "GET", url, headers: { accept } });

describe("the console", () => {
  test.each(["/", "/login", "/sdwan-system/cpe/cpeSet/7?x=1"])("%s is its page", async (url) => {
    const reply = await browse(url);
    expect(reply).toMatchObject({ statusCode: 200, body: "<p>console</p>" });
    expect(reply.headers["cache-control"]).toBe("no-cache");
    expect(reply.headers["content-security-policy"]).toContain("script-src 'self'");
    expect(reply.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
  });

  test("serves other pages that lie beside it as they are, and no hidden file", async () => {
    await mkdir(join(folder, ".vite"));
    await writeFile(join(folder, ".vite", "manifest.json"), "{}");
    await writeFile(join(folder, "other.html"), "<p>other</p>");
    expect(await browse("/other.html")).toMatchObject({ statusCode: 200, body: "<p>other</p>" });
    expect((await browse("/.vite/manifest.json", "*/*")).statusCode).toBe(404);
  });

  test("lets the scripts run that are written into its page, as it was built last, and no other text", async () => {
    const page = join(folder, "index.html");
    const build = async (code: string, at: number) => {
      await writeFile(page, `<script type="module" src="/a.js"></script><script>${code}</script>`);
      await utimes(page, at, at);
      return (await browse("/login")).headers["content-security-policy"];
    };
    const hashOf = (code: string) => createHash("sha256").update(code).digest("base64");
    for (const [at, code] of ["paint(1)", "paint(2)\nshow()"].entries()) {
      expect(await build(code, at + 1)).toContain(`; script-src 'self' 'sha256-${hashOf(code)}'; `);
    }
    await writeFile(page, "<p>console</p>");
    const { headers } = await browse("/login");
    expect(headers["content-security-policy"]).toContain("; script-src 'self'; ");
  });

  test("keeps what has a hash in its name permanently", async () => {
    const reply = await browse("/assets/index-1a2b.js", "*/*");
    expect(reply.headers["cache-control"]).toContain("immutable");
    // As a shared worker it opens the stream of events by its own policy.
    expect(reply.headers["content-security-policy"]).toContain("connect-src 'self'");
    expect(await browse("/assets/gone.js", "*/*")).toMatchObject({ statusCode: 404 });
  });

  test("sends what the build compressed to whom takes it, with the same headers", async () => {
    const packed = (url: string, encoding: string) =>
      api.app.inject({
        url,
        headers: { accept: "text/html", "accept-encoding": encoding },
      });
    const best = await packed("/assets/index-1a2b.js", "gzip, deflate, br");
    expect(best).toMatchObject({ statusCode: 200, body: "br of 1" });
    expect(best.headers).toMatchObject({ "content-encoding": "br", vary: "accept-encoding" });
    expect(best.headers["content-type"]).toContain("/javascript");
    expect(best.headers["cache-control"]).toContain("immutable");
    expect((await packed("/assets/index-1a2b.js", "gzip")).body).toBe("gz of 1");
    expect((await packed("/assets/index-1a2b.js", "identity")).body).toBe("1");
    const page = await packed("/login", "gzip, deflate, br");
    expect(page.body).toBe("gz of console");
    expect(page.headers["content-security-policy"]).toContain("script-src 'self'");
    expect(page.headers["cache-control"]).toBe("no-cache");
  });

  test("endpoints:auth.configJson names the base path of the calls, without an envelope", async () => {
    expect((await browse("/config.json")).json()).toEqual({
      BASE_URL: "",
      MENU_URL: "/customer/session",
    });
  });

  test("names a service for protocol files, and lets pages call it, where one is set", async () => {
    const app = fastify();
    const url = "https://files.example:8443/import";
    await serveConsole(app, { folder, protocolImportUrl: url });
    const { body } = await app.inject("/config.json");
    expect(JSON.parse(body)).toMatchObject({ PROTOCOL_IMPORT_URL: url });
    const { headers } = await app.inject("/");
    const policy = headers["content-security-policy"];
    expect(policy).toContain("connect-src 'self' https://files.example:8443;");
    await app.close();
    const typical = await browse("/");
    expect(typical.headers["content-security-policy"]).toContain("connect-src 'self';");
  });

  test.each(["/.env", "/../package.json", "/%2e%2e/%2e%2e/etc/passwd", "/assets/..%2f.env"])(
    "%s gives no file",
    async (url) => {
      const reply = await browse(url, "*/*");
      expect(reply.statusCode).toBeGreaterThanOrEqual(400);
      expect(reply.body).not.toMatch(/secret|root:|"name"/);
    },
  );

  test.each(["/customer/nope", "/api/nope", "/edge/v1/nope"])("%s is no page", async (url) => {
    const reply = await browse(url);
    expect(reply.statusCode).toBe(404);
    expect(reply.json()).toMatchObject({ code: 404, data: null });
  });
});

describe("health", () => {
  test("distinguishes liveness from readiness, and names the part that is not ready", async () => {
    expect(await browse("/healthz")).toMatchObject({ statusCode: 200 });
    const reply = await browse("/readyz");
    expect(reply.statusCode).toBe(503);
    const { checks, ...first } = reply.json();
    expect(first).toEqual({
      status: "not ready",
      parts: { database: true, worker: false, measures: false },
    });
    const since = expect.any(String);
    expect(checks).toEqual([
      { name: "database", required: true, state: "ready", since },
      { name: "worker", required: true, state: "not ready", since },
      { name: "measures", required: false, state: "not ready", since },
    ]);
    workerWorks = true;
    const degraded = await browse("/readyz");
    expect(degraded.statusCode).toBe(200);
    expect(degraded.json()).toMatchObject({
      status: "degraded",
      parts: { database: true, worker: true, measures: false },
    });
    // What stayed as it was is so since the first request; what changed, since this one.
    const [database, worker, measures] = degraded.json().checks;
    expect([database, measures]).toEqual([checks[0], checks[2]]);
    expect(worker.state).toBe("ready");
    databaseWorks = false;
    expect((await browse("/readyz")).json()).toMatchObject({ parts: { database: false } });
  });
});

describe("OpenAPI", () => {
  test("names every call with its fields", async () => {
    const document = (await browse("/api/openapi.json")).json();
    expect(document.openapi).toBe("3.1.0");
    expect(Object.keys(document.paths).sort()).toEqual(allEndpoints.map(({ path }) => path).sort());
    const list = document.paths["/customer/enterprise/list"].get;
    expect(list.parameters.map(({ name }: { name: string }) => name)).toContain("page");
    const add = document.paths["/customer/enterprise/add"].post;
    const fields = add.requestBody.content["multipart/form-data"].schema.properties;
    expect(Object.keys(fields)).toContain("parentId");
  });

  test("is there as a page without a script", async () => {
    const reply = await browse("/api/docs");
    expect(reply.headers["content-type"]).toContain("text/html");
    expect(reply.body).not.toContain("<script");
    for (const { path } of allEndpoints) expect(reply.body).toContain(path);
  });
});

test("browsers get HSTS behind a trusted proxy with TLS, and a permissions policy that denies what pages do not need", async () => {
  const app = fastify({ trustProxy: ["127.0.0.1"] });
  secureHeaders(app);
  app.get("/", async () => "answer");
  const plain = await app.inject("/");
  expect(plain.headers["strict-transport-security"]).toBeUndefined();
  expect(plain.headers["permissions-policy"]).toContain("camera=(), geolocation=(), microphone=()");
  const secure = await app.inject({ url: "/", headers: { "x-forwarded-proto": "https" } });
  expect(secure.headers["strict-transport-security"]).toBe("max-age=31536000");
  await app.close();
});
