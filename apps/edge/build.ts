/**
 * Builds what /download.html offers, in build/edge: the edge as one file that needs nothing but Node 24, and
 * as an archive that brings the Node with it that runs this build.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { bundle } from "./bundle.ts";

const here = import.meta.dirname;
const folder = path.join(here, "..", "..", "build", "edge");
const out = path.join(folder, "weft-edge.mjs");
const manifest = readFileSync(path.join(here, "package.json"), "utf8");
const { version } = JSON.parse(manifest) as { version: string };

await bundle(path.join(here, "src", "main.ts"), out, version);
chmodSync(out, 0o755);
const packaged = ["weft-edge.service", "INSTALL.md", "pop.conf"];
for (const name of packaged)
  copyFileSync(path.join(here, "packaging", name), path.join(folder, name));

/** The archive holds one folder, `weft-edge`, that works at any place. */
const archive = (): string => {
  const staged = path.join(folder, "weft-edge");
  rmSync(staged, { recursive: true, force: true });
  mkdirSync(staged);
  const put = (from: string, name: string, mode: number) => {
    copyFileSync(from, path.join(staged, name));
    chmodSync(path.join(staged, name), mode);
  };
  put(out, "weft-edge.mjs", 0o644);
  put(path.join(here, "packaging", "weft-edge.sh"), "weft-edge", 0o755);
  for (const name of packaged) put(path.join(folder, name), name, 0o644);
  put(process.execPath, "node", 0o755);
  const license = path.join(path.dirname(process.execPath), "..", "LICENSE");
  if (existsSync(license)) put(license, "LICENSE.node", 0o644);
  const file = path.join(folder, `weft-edge-linux-${process.arch}.tar.gz`);
  const owner = ["--owner=0", "--group=0", "--sort=name"];
  execFileSync("tar", ["-czf", file, ...owner, "-C", folder, "weft-edge"]);
  rmSync(staged, { recursive: true });
  return file;
};

for (const file of process.platform === "linux" ? [out, archive()] : [out])
  console.log(path.relative(process.cwd(), file));
