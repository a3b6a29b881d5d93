import { allEndpoints } from "@weft/contract/all-endpoints.ts";
import { errorNumbers } from "@weft/contract/errors.ts";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import type { FastifyInstance } from "fastify";
import { z } from "zod";

type Json = Record<string, unknown>;

/** The wire side of a schema: what travels, not what memory holds. */
const wireSchema = (schema: z.ZodType): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return rest as Json;
};

const envelope = ({ output, paged, successCode }: Endpoint): Json => ({
  type: "object",
  required: ["code", "msg", "data"],
  properties: {
    code: {
      type: "integer",
      description: `${successCode}: success; anything else is a failure, told in msg`,
    },
    msg: { type: "string" },
    data: wireSchema(output),
    ...(paged && { count: { type: "integer", description: "rows in all" } }),
  },
});

function queryParameters(schema: z.ZodType): Json[] {
  const { properties = {}, required = [] } = wireSchema(schema) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema: field,
  }));
}

function operation(endpoint: Endpoint): Json {
  const { id, method, input, may, auth } = endpoint;
  const body = { schema: wireSchema(input) };
  return {
    operationId: id,
    tags: [id.split(".")[0]],
    summary: may === null ? id : `${id} (permission ${may})`,
    ...(auth === "none" && { security: [] }),
    ...(method === "GET"
      ? { parameters: queryParameters(input) }
      : { requestBody: { content: { "multipart/form-data": body, "application/json": body } } }),
    responses: {
      200: {
        description: "Answer; failures have this status as well, and another code",
        content: { "application/json": { schema: envelope(endpoint) } },
      },
    },
  };
}

/** OpenAPI 3.1 of every call of the contract. */
function openApi(): Json {
  const codes = Object.entries(errorNumbers).map(([name, code]) => `${code} ${name}`);
  const paths: Record<string, Json> = {};
  for (const endpoint of allEndpoints) {
    paths[endpoint.path] = { [endpoint.method.toLowerCase()]: operation(endpoint) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Weft",
      version: "1",
      description: `Answers are {code, msg, data, count?}. Codes of failures: ${codes.join(", ")}.`,
    },
    security: [{ header: [] }, { query: [] }],
    components: {
      securitySchemes: {
        header: { type: "apiKey", in: "header", name: "Authorization" },
        query: { type: "apiKey", in: "query", name: "token" },
      },
    },
    paths,
  };
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The same as a page for people: every call with its fields, without a script. */
function docsPage(): string {
  const calls = allEndpoints.map((endpoint) => {
    const shown = (value: Json) => `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`;
    return `<details><summary><b>${endpoint.method}</b> ${escapeHtml(endpoint.path)}
<small>${escapeHtml(endpoint.id)} ${endpoint.may ?? ""}</small></summary>
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
  // Made when first asked for: a start need not wait for it.
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
