/** The calls of the contract as OpenAPI 3.1, for generators of clients. */

import type { Access } from "#contract/access.ts";
import { allEndpoints, domainOf } from "#contract/all-endpoints.ts";
import { errorNumbers } from "#contract/errors.ts";
import { grantText } from "#contract/grants.ts";
import { findMessage } from "#contract/messages.ts";
import { permissions } from "#contract/permissions.ts";
import type { Endpoint } from "#kernel/endpoint.ts";
import { formatMessage } from "#kernel/message.ts";
import { ruleCodes } from "#kernel/rule.ts";
import { warningCodes } from "#kernel/warning.ts";
import { type Json, wireSchema } from "./wire-schema.ts";

type Schemas = Record<string, Json>;

/** Definitions of a schema become components of the document: a reference is read from its root. */
function lifted(name: string, schema: Json, components: Schemas): Json {
  const { $defs = {}, ...rest } = schema as { $defs?: Schemas };
  const nameOf = (key: string): string => `${name}.${key}`.replace(/[^\w.-]/g, "_");
  const rootName = nameOf("self");
  const text = JSON.stringify({ rest, $defs });
  const moved = JSON.parse(
    text.replace(/"\$ref":"#(?:\/\$defs\/([^"]+))?"/g, (_, key?: string) =>
      JSON.stringify({
        $ref: `#/components/schemas/${key === undefined ? rootName : nameOf(key)}`,
      }).slice(1, -1),
    ),
  ) as { rest: Json; $defs: Schemas };
  for (const [key, one] of Object.entries(moved.$defs)) components[nameOf(key)] = one;
  if (!text.includes('"$ref":"#"')) return moved.rest;
  components[rootName] = moved.rest;
  return { $ref: `#/components/schemas/${rootName}` };
}

/** What a field is called, then what its rules say, then the labels of its codes. */
function described(name: string, schema: Json): Json {
  const title = findMessage(`field.${name}`);
  const values = (schema.enum ?? []) as unknown[];
  const labels = values.flatMap((value) => {
    const codeOf = findMessage(`enum.${name}.${value}`);
    return codeOf ? [`${value} ${formatMessage(codeOf, "en_gb")}`] : [];
  });
  const parts = [
    title ? formatMessage(title, "en_gb") : "",
    (schema.description as string | undefined) ?? "",
    labels.join(", "),
  ].filter((part) => part !== "");
  return parts.length === 0 ? schema : { ...schema, description: parts.join(". ") };
}

/** Texts at every field of an object, however deep. */
function withTexts(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withTexts);
  if (typeof schema !== "object" || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) =>
      key === "properties"
        ? [key, fieldsWithTexts(value as Schemas)]
        : [key, key === "enum" || key === "const" ? value : withTexts(value)],
    ),
  );
}

const fieldsWithTexts = (fields: Schemas): Schemas =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      described(name, withTexts(field) as Json),
    ]),
  );

const schemaOf = (name: string, schema: Endpoint["input"], components: Schemas): Json =>
  withTexts(lifted(name, wireSchema(schema), components)) as Json;

/** Every failure: the specification answers them with status 200. */
const failure: Json = {
  type: "object",
  required: ["code", "msg", "data"],
  properties: {
    code: {
      enum: [...new Set(Object.values(errorNumbers))],
      description: Object.entries(errorNumbers)
        .map(([name, code]) => `${code} ${name}`)
        .join(", "),
    },
    msg: { type: "string", description: "for people, in the language of Accept-Language" },
    data: { description: "null; of a stale edit the row as it is now, and who changed what" },
    issues: {
      type: "array",
      description: "fields that broke rules",
      items: {
        type: "object",
        required: ["path", "rule", "params"],
        properties: {
          path: { type: "string", description: "the field; empty: the whole" },
          rule: { type: "string", enum: [...ruleCodes] },
          params: { type: "object", additionalProperties: { type: ["string", "number"] } },
        },
      },
    },
    requestId: { type: "string", description: "names the line of the server's log" },
  },
};

/** Consequences that a save names beside its success. */
const warnings: Json = {
  type: "array",
  description:
    "consequences of what was done that are easily overlooked; it was done all the same. Absent: none",
  items: {
    type: "object",
    required: ["path", "warning", "params", "text"],
    properties: {
      path: { type: "string", description: "the field that it is about" },
      warning: { type: "string", enum: [...warningCodes] },
      params: { type: "object", additionalProperties: { type: ["string", "number"] } },
      text: { type: "string", description: "for people, in the language of Accept-Language" },
    },
  },
};

const success = (
  { id, output, paged, successCode, acts }: Endpoint,
  components: Schemas,
): Json => ({
  type: "object",
  required: ["code", "msg", "data", ...(paged ? ["count"] : [])],
  properties: {
    code: { const: successCode },
    msg: { type: "string" },
    data: schemaOf(`${id}.output`, output, components),
    ...(paged && { count: { type: "integer", minimum: 0, description: "rows in all" } }),
    ...(acts && { warnings: { $ref: "#/components/schemas/Warnings" } }),
  },
});

function queryParameters({ id, input }: Endpoint, components: Schemas): Json[] {
  const { properties = {}, required = [] } = schemaOf(`${id}.input`, input, components) as {
    properties?: Schemas;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

/** What a call asks for; undefined: nothing. */
function neededText(may: Access | null): string | undefined {
  if (may === null) return undefined;
  if (typeof may === "string") return `Needs the permission ${may}: ${permissions[may].en}.`;
  if ("open" in may) return `Open to every session: ${may.open}.`;
  const names = may.anyOf.map((grant) => `${grant} (${grantText(grant)[1]})`);
  return `Needs one of these menu entries or permissions: ${names.join(", ")}.`;
}

function operation(endpoint: Endpoint, components: Schemas): Json {
  const { id, method, input, may, auth, path } = endpoint;
  const content = { "application/json": { schema: {} as Json } };
  content["application/json"].schema = {
    oneOf: [success(endpoint, components), { $ref: "#/components/schemas/Failure" }],
  };
  const body = { schema: method === "POST" ? schemaOf(`${id}.input`, input, components) : {} };
  return {
    operationId: id,
    tags: [domainOf(path)],
    summary: id,
    description: neededText(may),
    ...(auth === "none" && { security: [] }),
    ...(method === "GET"
      ? { parameters: queryParameters(endpoint, components) }
      : { requestBody: { content: { "multipart/form-data": body, "application/json": body } } }),
    responses: { 200: { description: "Success, or a failure with another code", content } },
  };
}

/** OpenAPI 3.1 of every call of the contract, as JSON holds it. */
export function openApi(): Json {
  const schemas: Schemas = { Failure: failure, Warnings: warnings };
  const paths: Record<string, Json> = {};
  for (const endpoint of allEndpoints) {
    paths[endpoint.path] = { [endpoint.method.toLowerCase()]: operation(endpoint, schemas) };
  }
  const tags = [...new Set(allEndpoints.map(({ path }) => domainOf(path)))].sort();
  const document = {
    openapi: "3.1.0",
    info: {
      title: "Weft",
      version: "1",
      description:
        "Every answer is an envelope {code, msg, data, count?, warnings?} with HTTP status 200. A save " +
        "with a consequence that is easily overlooked names it in warnings. An edit takes " +
        "the rowVersion of the row that it was made from, or the header If-Match.",
      license: { name: "Apache 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ header: [] }, { query: [] }],
    tags: tags.map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        header: { type: "apiKey", in: "header", name: "Authorization" },
        query: { type: "apiKey", in: "query", name: "token" },
      },
    },
  };
  return JSON.parse(JSON.stringify(document)) as Json;
}
