import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { defineMessages, formatMessage, type Language } from "@weft/contract/kernel/message.ts";
import type { FastifyInstance } from "fastify";
import { refuse } from "#kernel/refuse.ts";
import { languageOf } from "#kernel/request-facts.ts";
import { pagePolicy } from "./security-headers.ts";

/** What `npm run build:edge` makes; nothing else of the folder is ever served. */
const archives = ["weft-edge-linux-x64.tar.gz", "weft-edge-linux-arm64.tar.gz"] as const;
const names = [...archives, "weft-edge.mjs", "INSTALL.md"] as const;
type Name = (typeof names)[number];

interface Package {
  readonly name: Name;
  readonly file: string;
  readonly size: number;
  readonly sha256: string;
}

const texts = defineMessages({
  title: ["下载", "Downloads"],
  intro: [
    "边缘程序，适用于 Debian 12 和 Ubuntu 24.04。压缩包自带 Node；weft-edge.mjs 需要系统已有 Node 24",
    "The edge program, for Debian 12 and Ubuntu 24.04. The archive contains Node; weft-edge.mjs needs Node 24 on the system",
  ],
  file: ["文件", "File"],
  size: ["大小 (kB)", "Size (kB)"],
  install: ["安装", "Install"],
  more: [
    "所需软件包、开局和卸载见 INSTALL.md",
    "INSTALL.md describes required packages, enrolment and removal",
  ],
  none: [
    "此安装尚未构建边缘程序：运行 npm run build:edge",
    "This installation has no edge program yet: run npm run build:edge",
  ],
});

/** Files as they are now, by name and time of change; a new build shows without a restart. */
const known = new Map<string, Package>();

async function packageOf(folder: string, name: Name): Promise<Package | null> {
  const file = join(folder, name);
  const facts = await stat(file).catch(() => null);
  if (!facts?.isFile()) return null;
  const key = `${file} ${facts.mtimeMs} ${facts.size}`;
  const kept = known.get(key);
  if (kept) return kept;
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  const made = { name, file, size: facts.size, sha256: hash.digest("hex") };
  known.set(key, made);
  return made;
}

const packagesOf = async (folder: string): Promise<Package[]> =>
  (await Promise.all(names.map((name) => packageOf(folder, name)))).filter(
    (entry) => entry !== null,
  );

/** Serves the edge's packages, and the page that shows how to install them (section 2.1). */
export function serveDownloads(app: FastifyInstance, folder: string): void {
  app.get("/download.html", { exposeHeadRoute: false }, async (request, reply) => {
    // The host becomes part of commands that people copy: only valid host names.
    const host = /^[\w.:[\]-]{1,260}$/.test(request.host) ? request.host : "localhost";
    const language = languageOf(request.headers["accept-language"]);
    const origin = `${request.protocol}://${host}`;
    return reply
      .headers({ "content-security-policy": pagePolicy([], []), "cache-control": "no-cache" })
      .type("text/html; charset=utf-8")
      .send(page(await packagesOf(folder), origin, language));
  });
  app.get<{ Params: { name: string } }>(
    "/download/:name",
    { exposeHeadRoute: false },
    async (request, reply) => {
      const name = names.find((known) => known === request.params.name);
      const download = name && (await packageOf(folder, name));
      if (!download) refuse("notFound");
      return reply
        .headers({
          "cache-control": "no-cache",
          "content-disposition": "attachment",
          "content-length": download.size,
        })
        .type("application/octet-stream")
        .send(createReadStream(download.file));
    },
  );
}

/** Commands that fetch, verify and install the archive; each line works when pasted. */
function installLines(
  { name, sha256 }: Pick<Package, "name" | "sha256">,
  origin: string,
): string[] {
  const here = "/usr/local/lib/weft-edge";
  return [
    `curl -fsSO ${origin}/download/${name}`,
    "sha256sum -c <<'END'",
    `${sha256}  ${name}`,
    "END",
    `sudo tar -xzf ${name} -C /usr/local/lib`,
    `sudo ln -sf ${here}/weft-edge /usr/local/bin/weft-edge`,
    `sudo install -m 0644 ${here}/weft-edge.service /etc/systemd/system/weft-edge.service`,
    `# On a POP as well: sudo install -D -m 0644 ${here}/pop.conf /etc/systemd/system/weft-edge.service.d/pop.conf`,
    "sudo systemctl daemon-reload",
    "sudo systemctl enable --now weft-edge",
  ];
}

const style = `
:root { color-scheme: light dark; }
body { max-width: 880px; margin: 0 auto; padding: 24px 16px; font: 14px/22px system-ui, sans-serif; }
h1 { font-size: 20px; line-height: 28px; }
h2 { margin-top: 32px; font-size: 16px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: 8px 24px 8px 0; text-align: left; border-bottom: 1px solid light-dark(#e4e8ee, #2e3136); }
td.n, th.n { text-align: right; }
code, pre { font: 13px/20px ui-monospace, monospace; }
pre { padding: 12px 16px; overflow-x: auto; border: 1px solid light-dark(#e4e8ee, #2e3136); border-radius: 6px; }
a { color: light-dark(#1359bd, #4096ff); }
`;

function page(packages: readonly Package[], origin: string, language: Language): string {
  const textOf = (key: keyof typeof texts): string => formatMessage(texts[key], language);
  const rows = packages.map(
    ({ name, size, sha256 }) =>
      `<tr><td><a href="/download/${name}" download>${name}</a></td>` +
      `<td class="n">${Math.ceil(size / 1000)}</td><td><code>${sha256}</code></td></tr>`,
  );
  const table =
    `<div class="scroll"><table><thead><tr><th>${textOf("file")}</th><th class="n">${textOf("size")}</th>` +
    `<th>SHA-256</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
  const archive = packages.find((entry) => archives.some((name) => name === entry.name));
  const body =
    archive && packages.length >= names.length - 1
      ? `<p>${textOf("intro")}</p>${table}<h2>${textOf("install")}</h2>` +
        `<pre>${installLines(archive, origin).join("\n")}</pre><p>${textOf("more")}</p>`
      : `<p>${textOf("none")}</p>`;
  return (
    `<!doctype html><html lang="${language === "zh_cn" ? "zh-CN" : "en-GB"}"><head>` +
    `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<link rel="icon" type="image/svg+xml" href="/icon.svg"><title>${textOf("title")}</title>` +
    `<style>${style}</style></head><body><main><h1>${textOf("title")}</h1>${body}</main></body></html>`
  );
}
