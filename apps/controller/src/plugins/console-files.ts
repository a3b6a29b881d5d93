import { createHash } from "node:crypto";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import files from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "#kernel/refuse.ts";
import { send } from "./answers.ts";
import { pagePolicy, scriptPolicy } from "./security-headers.ts";

/** Scripts that are written into a page, and not named by it. */
const inline = /<script>([\s\S]*?)<\/script>/g;

const sourcesOf = (page: string): readonly string[] =>
  [...page.matchAll(inline)].map(
    ([, code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`,
  );

/**
 * What the content security policy of a built console's page names as the sources of its scripts (CSP Level 3, section
 * 2.3.1): the hash of each that is written into the page. A page without any is allowed none.
 */
function pageScripts(folder: string): () => readonly string[] {
  const file = join(folder, "index.html");
  let read: { readonly at: number; readonly sources: readonly string[] } = { at: 0, sources: [] };
  return () => {
    const at = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    // It may be built again while this runs: the browser would refuse the scripts of the new page.
    if (at !== read.at) {
      read = { at, sources: at === 0 ? [] : sourcesOf(readFileSync(file, "utf8")) };
    }
    return read.sources;
  };
}

/** First path segments that are never pages of the console. */
const notPages = /^\/(?:api|customer|temp|edge|assets|brand)(?:\/|$|\?)/;

export interface ConsoleOptions {
  /** The built console; where there is none only calls are answered. */
  readonly folder: string | undefined;
  /** Where browsers send protocol files to; absent: nowhere (specification section 7.3). */
  readonly protocolImportUrl: string | undefined;
}

/** Read by the console at its start (specification section 7.1): where the calls are. */
const configOf = ({ protocolImportUrl }: ConsoleOptions) => ({
  BASE_URL: "",
  MENU_URL: "/customer/session",
  ...(protocolImportUrl !== undefined && { PROTOCOL_IMPORT_URL: protocolImportUrl }),
});

/**
 * Serves the built console: files as they are, and its page for every other path that a browser
 * opens, because the console routes by path. Unknown calls are answered with an envelope.
 */
export async function serveConsole(app: FastifyInstance, options: ConsoleOptions): Promise<void> {
  const { folder, protocolImportUrl } = options;
  const consoleConfig = configOf(options);
  const called = protocolImportUrl === undefined ? [] : [new URL(protocolImportUrl).origin];
  app.get("/config.json", { exposeHeadRoute: false }, async () => consoleConfig);
  const built = folder !== undefined && existsSync(join(folder, "index.html"));
  if (built) {
    const scriptsOf = pageScripts(folder);
    await app.register(files, {
      root: folder,
      dotfiles: "ignore",
      cacheControl: false,
      // The build lays a .br and a .gz beside its files: nothing is compressed twice.
      preCompressed: true,
      index: "index.html",
      setHeaders: (reply, path) => {
        const sent = path.slice(folder.length);
        fileHeaders(reply, sent);
        if (isPage(sent)) {
          reply.header("content-security-policy", pagePolicy(called, scriptsOf()));
        }
        if (isScript(sent)) reply.header("content-security-policy", scriptPolicy);
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    // Not returned: Fastify would wait for the reply as for a promise, at a dozen listeners each.
    if (built && wantsPage(request)) reply.sendFile("index.html");
    else send(new Refusal("notFound", {}, []), request, reply, 404);
  });
}

function wantsPage(request: FastifyRequest): boolean {
  const reads = request.method === "GET" || request.method === "HEAD";
  const acceptsHtml = (request.headers.accept ?? "").includes("text/html");
  return reads && acceptsHtml && !notPages.test(request.url);
}

const isPage = (sent: string): boolean => /\.html(?:\.(?:br|gz))?$/.test(sent);

const isScript = (sent: string): boolean => /\.js(?:\.(?:br|gz))?$/.test(sent);

/** The build puts a hash of the content into the name of everything under assets. */
function fileHeaders(reply: FastifyReply, sent: string): void {
  const path = sent.replace(/\.(?:br|gz)$/, "");
  const hashed = /^[\\/]assets[\\/]/.test(path);
  reply.header("cache-control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
}
