import { accessText } from "@weft/contract/access.ts";
import { allEndpoints } from "@weft/contract/all-endpoints.ts";
import { openApi } from "@weft/contract/open-api/document.ts";
import { type Json, wireSchema } from "@weft/contract/open-api/wire-schema.ts";
import type { FastifyInstance } from "fastify";

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The same as a page for people: every call with its fields, without a script. */
function docsPage(): string {
  const calls = allEndpoints.map((endpoint) => {
    const shown = (value: Json) => `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;
    return `<details><summary><b>${endpoint.method}</b> ${escapeHtml(endpoint.path)}
<small>${escapeHtml(endpoint.id)} ${escapeHtml(accessText(endpoint.may))}</small></summary>
<h4>Input</h4>${shown(wireSchema(endpoint.input))}
<h4>Data of the answer</h4>${shown(wireSchema(endpoint.output))}</details>`;
  });
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Weft: calls</title>
<style>body{font:14px/1.5 system-ui;margin:2rem auto;max-width:60rem;padding:0 1rem}
summary{cursor:pointer;padding:.2rem 0}small{color:#767676}pre{overflow:auto}</style>
<h1>Calls</h1><p>Machine-readable: <a href="openapi.json">openapi.json</a></p>
${calls.join("\n")}</html>`;
}

/** Serves both at /api/openapi.json and /api/docs; neither needs a session. */
export function serveOpenApi(app: FastifyInstance): void {
  // Built on first request: a start does not wait for it.
  let json: string | undefined;
  let page: string | undefined;
  app.get("/api/openapi.json", { exposeHeadRoute: false }, async (_, reply) => {
    json ??= JSON.stringify(openApi());
    return reply.type("application/json; charset=utf-8").send(json);
  });
  app.get("/api/docs", { exposeHeadRoute: false }, async (_, reply) => {
    page ??= docsPage();
    reply.header("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'");
    return reply.type("text/html; charset=utf-8").send(page);
  });
}
