import { execFile, execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
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
}, 120_000);
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
  const output = await new Promise<string>((resolve, reject) => {
    execFile("bash", ["-e", "-c", script], { cwd: folder }, (error, out) =>
      error ? reject(error) : resolve(out),
    );
  });
  const archive = `weft-edge-linux-${process.arch}.tar.gz`;
  expect(output).toBe(`${archive}: OK\n`);
  execFileSync("tar", ["-xzf", archive], { cwd: folder });
  symlinkSync(join(folder, "weft-edge/weft-edge"), join(folder, "linked"));
  // No Node but the one of the archive, as on a system that has none or an old one.
  const program = spawnSync(join(folder, "linked"), { env: { PATH: "/usr/bin:/bin" } });
  const help = String(program.stdout) + String(program.stderr);
  expect(help).toContain("enrol");
  for (const name of ["weft-edge.service", "pop.conf", "INSTALL.md", "node"])
    expect(existsSync(join(folder, "weft-edge", name)), name).toBe(true);
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
  expect(html).toContain("http://localhost/download/weft-edge-linux-");
});

test("explains what to do where nothing was built, in the language of the caller", async () => {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  const answer = await empty.inject({ url: "/download.html" });
  expect(answer.body).toContain("npm run build:edge");
  expect(answer.body).toContain('lang="zh-CN"');
  expect(answer.headers["content-security-policy"]).toContain("script-src 'self'");
});
