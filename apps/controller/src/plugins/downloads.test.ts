import { execFile, execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serveDownloads } from "./downloads.ts";

const root = join(import.meta.dirname, "../../../..");
const built = join(root, "build/edge");
let app: FastifyInstance;
let empty: FastifyInstance;
const folder = mkdtempSync(join(tmpdir(), "weft-download-"));

beforeAll(async () => {
  execFileSync(process.execPath, [join(root, "apps/edge/build.ts")], { stdio: "pipe" });
  app = Fastify() as unknown as FastifyInstance;
  serveDownloads(app, built);
  await app.listen({ host: "127.0.0.1", port: 0 });
  empty = Fastify() as unknown as FastifyInstance;
  serveDownloads(empty, folder);
}, 60_000);
afterAll(async () => {
  await app.close();
  await empty.close();
  rmSync(folder, { recursive: true, force: true });
});

const pageOf = async (headers: Record<string, string> = {}) =>
  (await app.inject({ url: "/download.html", headers })).body;
const linesOf = (html: string): string[] =>
  /<pre>([\s\S]*?)<\/pre>/.exec(html)?.[1]?.split("\n") ?? [];

test("endpoints:asset.downloadPage routes:route.download.html: its lines fetch and verify what was built, and that runs", async () => {
  const { port } = app.server.address() as AddressInfo;
  const html = await pageOf({ host: `127.0.0.1:${port}`, "accept-language": "en" });
  expect(html).toContain('lang="en-GB"');
  const lines = linesOf(html);
  const script = lines.slice(0, lines.indexOf("END") + 1).join("\n");
  // The lines behind these put the files into the system, which a test leaves alone.
  const said = await new Promise<string>((resolve, reject) => {
    execFile("bash", ["-e", "-c", script], { cwd: folder }, (error, out) =>
      error ? reject(error) : resolve(out),
    );
  });
  expect(said).toBe("weft-edge.mjs: OK\nweft-edge.service: OK\nINSTALL.md: OK\n");
  const program = spawnSync(process.execPath, [join(folder, "weft-edge.mjs")]);
  const help = String(program.stdout) + String(program.stderr);
  expect(help).toContain("enrol");
  expect(lines.slice(-4).join("\n")).toContain("install -m 0755 weft-edge.mjs");
});

test("serves nothing but the packages, whatever the path", async () => {
  for (const name of ["..%2Fpackage.json", "%2e%2e/package.json", "weft-edge.mjs.map", "", "x"]) {
    const answer = await app.inject({ url: `/download/${name}` });
    expect(answer.statusCode, name).not.toBe(200);
  }
});

test("takes no host into its commands that is none", async () => {
  const html = await pageOf({ host: "evil$(reboot)" });
  expect(html).not.toContain("reboot");
  expect(html).toContain("http://localhost/download/weft-edge.mjs");
});

test("says what to do where nothing was built, in the reader's language", async () => {
  rmSync(join(folder, "weft-edge.mjs"), { force: true });
  const answer = await empty.inject({ url: "/download.html" });
  expect(answer.body).toContain("npm run build:edge");
  expect(answer.body).toContain('lang="zh-CN"');
  expect(answer.headers["content-security-policy"]).toContain("script-src 'self'");
});
