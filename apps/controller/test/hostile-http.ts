/** Generated calls of every mounted endpoint, and what must hold of every answer. */
import { allResources, type ResourceName } from "@weft/contract/all-endpoints.ts";
import { errorNumbers } from "@weft/contract/errors.ts";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import * as fc from "fast-check";
import type { InjectOptions } from "fastify";
import pg from "pg";
import { formData, type TestApi } from "./api.ts";
import { changedTables, type Fingerprint, watchRows } from "./hostile-rows.ts";
import {
  hostileJson,
  hostileText,
  nearly,
  rawBody,
  shortHostileText,
  wireOf,
} from "./hostile-values.ts";
import { shapeOf } from "./schema-shape.ts";
import { makeTenant, type Tenant, wireDraft } from "./tenants.ts";

type Pair = readonly [name: string, value: unknown];

export interface HttpCase {
  readonly endpoint: Endpoint;
  readonly who: "tenant" | "nobody" | "junk";
  readonly form: "multipart" | "urlencoded" | "json" | "raw";
  readonly fields: readonly Pair[];
  readonly raw: string;
  readonly type: string;
  readonly language: string;
}

/** Ms on the wall: an answer that hangs. Not less, because a busy machine takes its time. */
const maxMs = 20_000;

/** Ms that this thread may compute for one answer, however busy the machine is. */
const maxWorkMs = 2_000;

/** Begins to measure; what it returns says whether the answer took too long. */
export function stopwatch(): () => { ms: number; problem: string | null } {
  const [started, worked] = [performance.now(), process.threadCpuUsage()];
  return () => {
    const ms = performance.now() - started;
    const { user, system } = process.threadCpuUsage(worked);
    const workMs = (user + system) / 1000;
    const times = `took ${Math.round(ms)} ms, computed ${Math.round(workMs)} ms`;
    return { ms, problem: ms > maxMs || workMs > maxWorkMs ? times : null };
  };
}

/** Codes of intended answers. */
const foreseen = new Set<number>(
  Object.entries(errorNumbers)
    .filter(([name]) => name !== "internal")
    .map(([, code]) => code),
);

/** Values that the samples put into each field, and ids of rows that there are. */
function knownValues({ ids }: Tenant, foreign: Tenant): Map<string, unknown[]> {
  const known = new Map<string, unknown[]>();
  const add = (field: string, ...values: unknown[]) =>
    known.set(field, [...(known.get(field) ?? []), ...values]);
  for (const name of Object.keys(allResources) as ResourceName[]) {
    for (const which of ["valid", "edited"] as const) {
      for (const [field, value] of Object.entries(wireDraft(name, which, ids))) add(field, value);
    }
  }
  const rows = [...Object.values(ids), ...Object.values(foreign.ids), 1, 987_654_321];
  for (const field of ["ids", "id", "nID", "userId", "roleId", "menuIds"]) {
    add(field, ...rows, rows.slice(0, 2).join(","));
  }
  return known;
}

function fieldsOf(
  endpoint: Endpoint,
  known: ReadonlyMap<string, unknown[]>,
): fc.Arbitrary<readonly Pair[]> {
  const fields = Object.entries(shapeOf(endpoint.input)).map(([name, schema]) => {
    const typical = known.get(name) ?? [];
    const good = typical.length > 0 ? fc.constantFrom(...typical) : wireOf(schema);
    const value = fc.oneof(
      { weight: 20, arbitrary: good },
      { weight: 2, arbitrary: shortHostileText },
      { weight: 1, arbitrary: hostileJson },
      { weight: 1, arbitrary: nearly(wireOf(schema)) },
    );
    return value.map((one): Pair => [name, one]);
  });
  const twisted = fc.oneof(
    fc.tuple(hostileText, hostileJson),
    // The same field twice.
    fc.tuple(fc.constantFrom("ids", "name", "groupid", "page", ...known.keys()), hostileText),
  );
  return fc
    .tuple(fc.tuple(...fields), fc.array(twisted, { maxLength: 2 }), fc.nat(9), fc.nat(40))
    .map(([all, more, extra, missing]) => [
      ...all.filter((_, place) => place !== missing),
      ...(extra === 0 ? more : []),
    ]);
}

/** Cases over these endpoints; the same seed gives the same ones. */
function httpCases(
  endpoints: readonly Endpoint[],
  own: Tenant,
  foreign: Tenant,
  { cases, seed }: { cases: number; seed: number },
): HttpCase[] {
  const known = knownValues(own, foreign);
  const types = ["application/json", "multipart/form-data; boundary=x", "text/html", ""];
  const one = fc.constantFrom(...endpoints).chain((endpoint) =>
    fc.record({
      endpoint: fc.constant(endpoint),
      // A logout in earnest would end the session that all further cases need.
      who: endpoint.id === "auth.logout" ? fc.constant("junk" as const) : callers,
      form: fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom("multipart", "urlencoded", "json" as const) },
        { weight: 1, arbitrary: fc.constant("raw" as const) },
      ),
      fields: fieldsOf(endpoint, known),
      raw: rawBody,
      type: fc.constantFrom(...types),
      language: fc.constantFrom("zh", "en", "*;q=x, ,;", "a".repeat(2_000)),
    }),
  );
  return fc.sample(one as fc.Arbitrary<HttpCase>, { numRuns: cases, seed });
}

const callers = fc.oneof(
  { weight: 10, arbitrary: fc.constant("tenant" as const) },
  { weight: 1, arbitrary: fc.constantFrom("nobody", "junk" as const) },
);

const asText = (value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value) : String(value);

function bodyOf({ form, fields, raw, type }: HttpCase): Partial<InjectOptions> {
  const pairs = fields.map(([name, value]): [string, string] => [name, asText(value)]);
  switch (form) {
    case "multipart":
      return formData(Object.fromEntries(pairs));
    case "urlencoded":
      return {
        payload: new URLSearchParams(pairs).toString(),
        headers: { "content-type": "application/x-www-form-urlencoded" },
      };
    case "json":
      return {
        payload: JSON.stringify(Object.fromEntries(fields)),
        headers: { "content-type": "application/json" },
      };
    case "raw":
      return { payload: raw, headers: { "content-type": type } };
  }
}

function requestOf(one: HttpCase, token: string): InjectOptions {
  const { endpoint, fields, who, language } = one;
  const query = new URLSearchParams();
  if (who !== "nobody") query.append("token", who === "junk" ? "x".repeat(43) : token);
  const { method, path } = endpoint;
  const isRead = method === "GET";
  if (isRead) for (const [name, value] of fields) query.append(name, asText(value));
  const body = isRead ? {} : bodyOf(one);
  return {
    method,
    url: `${path}?${query}`,
    ...body,
    headers: { ...body.headers, "accept-language": language },
  };
}

export interface Finding {
  readonly case: string;
  readonly problem: string;
}

export interface Run {
  readonly findings: Finding[];
  /** Code of the answer -> how many. */
  readonly codes: Map<number, number>;
  readonly slowestMs: number;
}

const shown = (one: HttpCase, request: InjectOptions): string =>
  `${one.endpoint.id} as ${one.who}: ${JSON.stringify(request).slice(0, 1_500)}`;

/** What is wrong with one answer; null: nothing. */
async function problemOf(
  api: TestApi,
  { endpoint }: HttpCase,
  request: InjectOptions,
): Promise<{ code: number; ms: number; problem: string | null }> {
  const stop = stopwatch();
  const reply = await api.app.inject(request);
  const { ms, problem: slow } = stop();
  let answer: { code?: unknown; requestId?: unknown } = {};
  try {
    answer = reply.json();
  } catch {
    return { code: -1, ms, problem: `no envelope: ${reply.statusCode} ${reply.body.slice(0, 99)}` };
  }
  const code = Number(answer.code);
  if (slow !== null) return { code, ms, problem: slow };
  const line = api.logged.find(({ requestId, err }) => requestId === answer.requestId && err);
  // An error in the log (a statement that the database refused) is one, whatever was answered.
  const isForeseen = (code === endpoint.successCode || foreseen.has(code)) && !line;
  if (isForeseen) return { code, ms, problem: null };
  return {
    code,
    ms,
    problem: `answered ${code}: ${JSON.stringify(line?.err ?? answer).slice(0, 800)}`,
  };
}

let runs = 0;

/**
 * Makes the calls one after the other; everything that must not be is a finding.
 * @param isIncluded leaves endpoints out.
 */
export async function runHttp(
  api: TestApi,
  amount: { cases: number; seed: number },
  isIncluded: (endpoint: Endpoint) => boolean = () => true,
): Promise<Run> {
  const admin = await api.logIn("admin");
  runs += 1;
  const own = await makeTenant(api, admin, `hostile-${runs}`);
  const foreign = await makeTenant(api, admin, `foreign-${runs}`);
  const mounted = [...api.app.weft.mounted.values()].map(({ endpoint }) => endpoint);
  const endpoints = mounted.filter(isIncluded);
  const database = new pg.Client({ connectionString: api.database.url });
  await database.connect();
  const cases = httpCases(endpoints, own, foreign, amount);
  try {
    return await runCases(api, admin, own, await watchRows(database), cases);
  } finally {
    await database.end();
  }
}

async function runCases(
  api: TestApi,
  admin: string,
  first: Tenant,
  fingerprint: Fingerprint,
  cases: readonly HttpCase[],
): Promise<Run> {
  const findings: Finding[] = [];
  const codes = new Map<number, number>();
  let own = first;
  let slowestMs = 0;
  let rows = await fingerprint();
  for (const [place, one] of cases.entries()) {
    const request = requestOf(one, own.token);
    const { code, ms, problem } = await problemOf(api, one, request);
    const found = (text: string) =>
      findings.push({ case: `#${place} ${shown(one, request)}`, problem: text });
    codes.set(code, (codes.get(code) ?? 0) + 1);
    slowestMs = Math.max(slowestMs, ms);
    if (problem !== null) found(problem);
    const isDone = code === one.endpoint.successCode;
    const after = await fingerprint();
    if (!(isDone && one.endpoint.acts) && after !== rows) {
      found(`answered ${code} and wrote to ${changedTables(rows, after).join(", ")}`);
    }
    rows = after;
    // The tenant took its own user or enterprise away: the next one goes on.
    if (one.who === "tenant" && code === errorNumbers.tokenInvalid) {
      own = await makeTenant(api, admin, `hostile-${runs}-${place}`);
      rows = await fingerprint();
    }
    api.logged.length = 0;
  }
  return { findings, codes, slowestMs };
}
