/**
 * The battery of tenancy: every mounted endpoint, as every type of role in every data scope, with
 * ids of the caller's own rows, of a stranger's, of both in one list, and of no row at all, in every
 * field that names a row. A stranger's row and none must be answered alike to the byte. `npm test`
 * asks a share of it (isInShare), `npm run matrix` all.
 */
import { crc32 } from "node:zlib";
import { allResources } from "@weft/contract/all-endpoints.ts";
import { dataScopes, type RoleType, roleTypes } from "@weft/contract/domains/access/enums.ts";
import { errorNumbers } from "@weft/contract/errors.ts";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import type { Site } from "#kernel/api.ts";
import type { Answer, TestApi } from "./api.ts";
import { filled, ownInput } from "./matrix-input.ts";
import { policyRemovalTurn } from "./matrix-policy.ts";
import {
  foreignMark,
  kindOfField,
  makeRows,
  type RowKind,
  type Rows,
  wireOfRow,
} from "./matrix-rows.ts";
import { shapeOf } from "./schema-shape.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

interface Caller {
  readonly roleType: number;
  readonly dataScope: number;
  readonly enterprise: number;
  readonly token: string;
}

/** One field of one endpoint as one caller. Codes of the answers; null: that kind was not asked. */
export interface Cell {
  readonly endpoint: string;
  /** Empty: the call names no row. */
  readonly field: string;
  readonly roleType: number;
  readonly dataScope: number;
  readonly own: number;
  readonly foreign: number | null;
  readonly mixed: number | null;
  /** What a stranger could have learnt or done; empty: nothing. */
  readonly leaks: readonly string[];
  /** Refusals of a stranger's row, alone and beside an own one, that are not about it: it was never looked for. */
  readonly blind: readonly string[];
  /** What own rows were answered; `foreign` is proven by it if that differs. */
  readonly ownRefusal: string | null;
  /** What a stranger's row alone was answered; null: it was not refused. */
  readonly foreignRefusal: string | null;
}

const absentId = 987_654;

type CallerRole = Pick<Caller, "roleType" | "dataScope">;

/**
 * Whether this caller asks for a stranger's row in a field, where four of the twelve do. Each field is
 * asked in every scope and by every type of role, though not by each type in each scope: an endpoint with
 * three such fields is asked by all twelve.
 * @param place of the field among those of the endpoint that name a row.
 */
export const isInShare = (
  endpoint: string,
  place: number,
  { roleType, dataScope }: CallerRole,
): boolean => (crc32(endpoint) + place + dataScope) % roleTypes.length === roleType;

/** Ids that occur nowhere else in an answer, so that two answers can be compared but for them. */
async function spreadIds(api: TestApi): Promise<void> {
  const { pg } = api.database.pools.owner;
  const { rows } = await pg.query<{ name: string }>(
    `select s.oid::regclass::text as name from pg_class s where s.relkind = 'S'
     and s.relnamespace = 'weft'::regnamespace order by 1`,
  );
  for (const [place, { name }] of rows.entries()) {
    await pg.query(`alter sequence ${name} restart with ${100_000 + place * 10_000}`);
  }
}

/** An answer as a caller could compare it, with one id (0: none) and the randomness of tickets taken out. */
const seen = ({ code, msg, data, count, issues }: Answer, id: number): string =>
  JSON.stringify({ code, msg, data, count, issues })
    .replace(/"ticket":"[\w-]{43}"/, '"ticket":"<ticket>"')
    .replaceAll(id === 0 ? "\u0001" : String(id), "<id>");

/** Why a call was refused, as a caller reads it; null: it was not. */
const refusalOf = ({ successCode }: Endpoint, answer: Answer, id: number): string | null =>
  answer.code === successCode ? null : seen({ ...answer, data: null }, id);

/** Whether a refusal is about the row that a field names: it is not there, or the field says so. */
const isAboutRow = ({ code, issues = [] }: Answer, field: string): boolean =>
  code === errorNumbers.notFound || issues.some(({ path }) => path === field);

const holdsMark = (answer: Answer): boolean =>
  JSON.stringify([answer.msg, answer.data, answer.issues]).includes(foreignMark);

/** What a gateway writes when it starts: without it no device can be invited. */
const announceGateway = ({ database }: TestApi) =>
  sql`update weft.installation set controller_key = ${"A".repeat(43)},
    edge_addresses = '{wss://edge.example:8443}'`.execute(database.pools.owner.db);

const endpointsOf = ({ app }: TestApi): Endpoint[] =>
  [...app.weft.mounted.values()].map(({ endpoint }) => endpoint);

class Battery {
  readonly #api: TestApi;
  readonly #admin: string;
  readonly #foreign: Rows;
  readonly #own = new Map<Caller | null, Rows>();
  readonly #extent: Extent;
  readonly #endpoints: ReadonlyMap<string, Endpoint>;

  constructor(api: TestApi, admin: string, foreign: Rows, extent: Extent) {
    this.#api = api;
    this.#endpoints = new Map(endpointsOf(api).map((endpoint) => [endpoint.id, endpoint]));
    this.#admin = admin;
    this.#foreign = foreign;
    this.#extent = extent;
  }

  #call({ method, path }: Endpoint, { token }: Caller, input: object): Promise<Answer> {
    return method === "GET"
      ? this.#api.get(path, input, token)
      : this.#api.post(path, input, token);
  }

  async #rows(caller: Caller): Promise<Rows> {
    const owner = this.#extent.sharesRows ? null : caller;
    const known = this.#own.get(owner);
    if (known) return known;
    const made = await makeRows(this.#api, [caller.token, this.#admin], caller.enterprise, "own");
    this.#own.set(owner, made);
    return made;
  }

  /** All cells of an endpoint for a caller. */
  async cells(endpoint: Endpoint, caller: Caller): Promise<Cell[]> {
    const own = await this.#rows(caller);
    const fields = Object.entries(shapeOf(endpoint.input)).flatMap(([field, schema]) => {
      const kind = kindOfField(endpoint.id, field, schema);
      return kind ? [{ field, kind }] : [];
    });
    const removed = await this.#removable(endpoint, caller, own);
    const input = filled(endpoint, ownInput(endpoint, removed));
    const asked: Omit<Cell, "ownRefusal">[] = [];
    for (const [place, { field, kind }] of fields.entries()) {
      if (this.#extent.isShare && !isInShare(endpoint.id, place, caller)) continue;
      asked.push(await this.#cell(endpoint, caller, input, removed, field, kind));
    }
    const answer = await this.#call(endpoint, caller, input);
    const ownRefusal = refusalOf(endpoint, answer, 0);
    const { roleType, dataScope } = caller;
    return [
      ...asked.map((cell): Cell => ({ ...cell, ownRefusal })),
      {
        endpoint: endpoint.id,
        field: "",
        roleType,
        dataScope,
        own: answer.code,
        foreign: null,
        mixed: null,
        leaks: holdsMark(answer) ? ["names a stranger's row"] : [],
        blind: [],
        ownRefusal,
        foreignRefusal: null,
      },
    ];
  }

  /** Own rows with a policy object in them that no other one names, where the call removes such: the own one stays in use. */
  async #removable({ id, input }: Endpoint, caller: Caller, own: Rows): Promise<Rows> {
    const schema = shapeOf(input).ids;
    if (!id.endsWith(".remove") || !schema) return own;
    const name = id.slice(0, id.lastIndexOf("."));
    const adding = this.#endpoints.get(`${name}.add`);
    const kind = kindOfField(id, "ids", schema);
    if (!adding || !kind?.startsWith("policy:")) return own;
    for (const token of [caller.token, this.#admin]) {
      const asker = { ...caller, token };
      const answer = await this.#call(adding, asker, filled(adding, ownInput(adding, own)));
      if (answer.code === adding.successCode) return { ...own, [kind]: newIdOf(answer) };
    }
    return own;
  }

  async #cell(
    endpoint: Endpoint,
    caller: Caller,
    input: Record<string, unknown>,
    own: Rows,
    field: string,
    kind: RowKind,
  ): Promise<Omit<Cell, "ownRefusal">> {
    const foreignId = this.#foreign[kind] ?? 0;
    // Two owners at once are refused, whichever they are.
    const given = field === "popId" && "cpeId" in input ? { ...input, cpeId: "" } : input;
    const isList = field.endsWith("s");
    const leaks: string[] = [];
    const blind: string[] = [];
    const pair = async (what: string, idOf: (id: number) => unknown): Promise<Answer> => {
      const foreign = await this.#call(endpoint, caller, { ...given, [field]: idOf(foreignId) });
      const absent = await this.#call(endpoint, caller, { ...given, [field]: idOf(absentId) });
      if (seen(foreign, foreignId) !== seen(absent, absentId)) {
        leaks.push(`${what}: ${seen(foreign, foreignId)} but absent ${seen(absent, absentId)}`);
      }
      if (holdsMark(foreign)) leaks.push(`${what}: names a stranger's row`);
      if (endpoint.acts && foreign.code === endpoint.successCode) leaks.push(`${what}: was done`);
      const refusal = refusalOf(endpoint, foreign, foreignId);
      if (refusal !== null && !isAboutRow(foreign, field)) blind.push(`${what}: ${refusal}`);
      return foreign;
    };
    const { roleType, dataScope } = caller;
    const foreign = await pair("foreign", (id) => wireOfRow(field, id));
    const mixed = isList ? await pair("mixed", (id) => `${own[kind]},${id}`) : null;
    return {
      endpoint: endpoint.id,
      field,
      roleType,
      dataScope,
      own: 0,
      foreign: foreign.code,
      mixed: mixed?.code ?? null,
      leaks,
      blind,
      foreignRefusal: refusalOf(endpoint, foreign, foreignId),
    };
  }
}

/** Removals come last, what refers to others before these, so that own rows are made only once. */
const removals = [
  "link",
  "vbrTable",
  "xwanSpeedDefine",
  "alarmRule",
  "alarmStrategy",
  "alarmWindow",
  "messageReceive",
  "webhook",
  "identityProvider",
  "popGroup",
  "popStrategy",
  "routerTemplateRel",
  "dnsmasq",
  "dhcpReservation",
  "xaclrules",
  "staticroute",
  "lansection",
  "line",
  "netSpace",
  "user",
  "role",
  "cpe",
  "pop",
];

function turnOf({ id }: Endpoint): number {
  // A logout ends the session that all other calls need.
  if (id === "auth.logout") return 100;
  const [prefix = "", verb = ""] = id.split(".");
  // What empties a CPE or a template comes when nothing is asked of its rows any more.
  if (["clear", "configInit", "unbind", "restoreDraft"].includes(verb))
    return 9.5 + removals.indexOf("lansection");
  const ofPolicy = policyRemovalTurn(id);
  if (ofPolicy !== null) return id.endsWith(".remove") ? 8 + ofPolicy : 0;
  if (verb === "remove") return removals.includes(prefix) ? 10 + removals.indexOf(prefix) : 99;
  // Of many at once: after that of one, which would find none any more.
  if (verb === "batchRemove") return 99.5;
  return ["reject", "cancel"].includes(verb) ? 1 : 0;
}

/** Every mounted call of a session with input that it accepts, in an order in which none takes away what a later one needs. */
export function acceptedCalls(api: TestApi, own: Rows) {
  return endpointsOf(api)
    .filter(({ auth }) => auth === "session")
    .sort((a, b) => turnOf(a) - turnOf(b))
    .map((endpoint) => ({ endpoint, input: ownInput(endpoint, own) }));
}

/** Of the application that the matrix asks: calls that send mail are not refused because none can be sent. */
export const matrixSite: Site = {
  title: () => "Weft",
  loginSms: false,
  sendsMail: true,
  sendsSms: false,
  identityNetworks: [],
};

interface Extent {
  readonly isIncluded?: (endpoint: Endpoint) => boolean;
  readonly roleTypes?: readonly RoleType[];
  /** A stranger's rows are asked for by a share of the callers; every call with own rows by all. */
  readonly isShare?: boolean;
  /** Own rows are made once for all callers: for calls that change none. */
  readonly sharesRows?: boolean;
}

/**
 * Runs the battery over these endpoints and types of role, by default over all; the stranger's rows
 * are looked at before and after it.
 */
export async function runMatrix(api: TestApi, extent: Extent = {}): Promise<Cell[]> {
  const { isIncluded = () => true, roleTypes: asWhom = roleTypes } = extent;
  await spreadIds(api);
  await announceGateway(api);
  const admin = await api.logIn("admin");
  const enterprise = async (name: string): Promise<number> => {
    const ids = { groupid: 1, cpeId: 0, popId: 0 };
    const draft = wireDraft("enterprise", "valid", ids, { name });
    return newIdOf(await api.post(allResources.enterprise.ops.add.path, draft, admin));
  };
  const home = await enterprise("home");
  const foreign = await makeRows(api, [admin], await enterprise(foreignMark), foreignMark);
  const battery = new Battery(api, admin, foreign, extent);
  const asked = endpointsOf(api)
    .filter((endpoint) => endpoint.auth === "session" && isIncluded(endpoint))
    .sort((a, b) => turnOf(a) - turnOf(b));
  const cells: Cell[] = [];
  for (const roleType of asWhom) {
    for (const dataScope of dataScopes) {
      const token = await api.userToken({
        enterpriseId: home,
        dataScope,
        roleType,
        selected: [home],
      });
      const caller = { roleType, dataScope, enterprise: home, token };
      for (const one of asked) cells.push(...(await battery.cells(one, caller)));
    }
  }
  return cells;
}

const roleNames = ["controller", "agent", "enterprise"];
const scopeNames = ["", "enterprise", "own", "below", "selected"];

/** The matrix as text: a line for each endpoint and field, a column for each role and scope. */
export function matrixText(cells: readonly Cell[]): string {
  const lines = new Map<string, string[]>();
  const columns = new Set<string>();
  for (const cell of cells) {
    const key = `${cell.endpoint} ${cell.field || "-"}`;
    columns.add(`${roleNames[cell.roleType]}/${scopeNames[cell.dataScope]}`);
    const outcomes =
      cell.field === "" ? `own ${cell.own}` : [cell.foreign, cell.mixed ?? "-"].join("/");
    lines.set(key, [
      ...(lines.get(key) ?? []),
      cell.leaks.length > 0 ? `LEAK ${outcomes}` : outcomes,
    ]);
  }
  const head = [
    "Endpoint and field x role type/data scope. foreign/mixed: code of the answer to a stranger's",
    "id alone and beside an own one; each was byte-equal to the answer to an id that is not there.",
    `columns: ${[...columns].join(" ")}`,
    "",
  ];
  const rows = [...lines].sort().map(([key, outcomes]) => {
    const isSame = outcomes.every((outcome) => outcome === outcomes[0]);
    return `${key}: ${isSame ? `${outcomes[0]} (all ${outcomes.length})` : outcomes.join("  ")}`;
  });
  return `${[...head, ...rows, "", matrixSummary(cells)].join("\n")}\n`;
}

/** One line of counts. */
export function matrixSummary(cells: readonly Cell[]): string {
  const endpoints = new Set(cells.map(({ endpoint }) => endpoint)).size;
  const pairs = cells.reduce(
    (sum, { foreign, mixed }) => sum + Number(foreign !== null) + Number(mixed !== null),
    0,
  );
  const leaks = cells.reduce((sum, cell) => sum + cell.leaks.length, 0);
  const callers = new Set(cells.map(({ roleType, dataScope }) => `${roleType}/${dataScope}`)).size;
  return `matrix: ${endpoints} endpoints x ${callers} role types and scopes, ${cells.length} cells, ${pairs} pairs foreign/absent, ${leaks} leaks`;
}
