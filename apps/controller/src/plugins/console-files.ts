import { existsSync } from "node:fs";
import { join } from "node:path";
import files from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Refusal } from "#kernel/refuse.ts";
import { send } from "./answers.ts";
import { pagePreloads } from "./page-preloads.ts";
import { pageScripts } from "./page-scripts.ts";
import { pagePolicy } from "./security-headers.ts";

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
    const preloadsOf = pagePreloads(folder);
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
        if (!isPage(sent)) return;
        reply.header("content-security-policy", pagePolicy(called, scriptsOf()));
        const { pathname } = new URL(reply.request.url, "http://here.invalid");
        // Other pages that lie in the folder have no use for the console's parts.
        const links = isConsole(sent) ? preloadsOf(pathname) : null;
        if (links !== null) reply.header("link", links);
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
  const asksHtml = (request.headers.accept ?? "").includes("text/html");
  return reads && asksHtml && !notPages.test(request.url);
}

const isPage = (sent: string): boolean => /\.html(?:\.(?:br|gz))?$/.test(sent);

const isConsole = (sent: string): boolean => /^[\\/]index\.html(?:\.(?:br|gz))?$/.test(sent);

/** The build puts a hash of the content into the name of everything under assets. */
function fileHeaders(reply: FastifyReply, sent: string): void {
  const path = sent.replace(/\.(?:br|gz)$/, "");
  const hashed = /^[\\/]assets[\\/]/.test(path);
  reply.header("cache-control", hashed ? "public, max-age=31536000, immutable" : "no-cache");
}
