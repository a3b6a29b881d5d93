/** Rows of each kind that calls refer to: the caller's own, a stranger's, and which field means which. */
import { allResources, type ResourceName } from "@weft/contract/all-endpoints.ts";
import { cpeAreaAdd } from "@weft/contract/domains/devices/cpe-area.ts";
import { makingOrder, sampleIds } from "@weft/contract/samples/making-order.ts";
import type { Mark, SampleIds } from "@weft/contract/samples/sample.ts";
import { type ReferenceKind, referenceKinds } from "@weft/contract/sheet-fields.ts";
import { sql } from "kysely";
import { z } from "zod";
import { inScope } from "#db/pool.ts";
import { adminPassword, type TestApi } from "./api.ts";
import { type PolicyKind, policyKind, policyRows } from "./matrix-policy.ts";
import { distinctDraft, reportCapability, reservationLan, wireDraft } from "./tenants.ts";

export type RowKind =
  | ResourceName
  | PolicyKind
  | "identity"
  | "task"
  | "record"
  | "link"
  | "message"
  | "batch"
  | "alarmEvent"
  | "messageDelivery"
  | "webhookDelivery"
  | "rollout"
  | "area"
  | "port";
export type Rows = Readonly<Record<RowKind, number>>;

/** Part of every name of the other tenant's rows: an answer that holds it has leaked. */
export const foreignMark = "stranger-7f3a";

/** The kind of row that stands for a reference of the contract (sheet-fields.ts). */
const ofReference: Readonly<Record<Exclude<ReferenceKind, `family:${string}`>, RowKind>> = {
  alarmPolicy: "alarmStrategy",
  area: "area",
  cloudNode: "vbrNode",
  cpe: "cpe",
  enterprise: "enterprise",
  node: "cpe",
  pop: "pop",
  popStrategy: "popStrategy",
  profile: "xwanSpeed",
  receiver: "messageReceive",
  role: "role",
  template: "routerTemplate",
};

/** Reference fields that no file of a resource has; `id` and `ids` point at the call's own kind. */
const byField: Readonly<Record<string, RowKind>> = {
  besideId: "cpe",
  linkId: "link",
  checkServerData: "pop",
  netSpaceId: "netSpace",
  userId: "user",
  defaultRoleId: "role",
  roleMap: "role",
  providerId: "identityProvider",
  operId: "task",
  enterpriseId: "enterprise",
  popStrategyId: "popStrategy",
  defaultPopStrategyId: "popStrategy",
  lineId: "line",
  // A link has a CPE and a POP.
  targetId: "pop",
  toAreaId: "area",
  pId: "area",
  taskId: "dialTask",
  rolloutId: "rollout",
};
const byCall: Readonly<Record<string, RowKind>> = {
  enrolment: "identity",
  uses: "cpe",
  nodeState: "cpe",
  operaRecord: "record",
  cpeReport: "cpe",
  siteReport: "cpe",
  cpeLog: "cpe",
  popLog: "pop",
  clientReport: "account",
  availability: "cpe",
  link: "link",
  message: "message",
  batch: "batch",
  alarmEvent: "alarmEvent",
  cpeArea: "area",
  cpePorts: "port",
};

/** A field that means something else in one call. */
const byCallField: Readonly<Record<string, RowKind>> = {
  "popGroupDef.groupid": "popGroup",
  "alarmWindow.scopeId": "enterprise",
  "alarmEvent.ownerId": "user",
  "messageReceive.deliveryId": "messageDelivery",
  "webhook.deliveryId": "webhookDelivery",
  // Of whatever kind `module` says; without one, of any kind that has this id.
  "operaRecord.rowId": "cpe",
};

/** Fields that have ids in a text with more in it: field -> the text with this one. */
const texts: Readonly<Record<string, (id: number) => string>> = {
  roleMap: (id) => `${id} staff`,
};

/** What a field is sent that names one row. */
export const wireOfRow = (field: string, id: number): unknown => texts[field]?.(id) ?? id;

/** Fields that end like an id, or take one, and name no row. */
const noReference = new Set([
  "vid",
  "hostid",
  "cardId",
  "clientId",
  // Codes: applications, days of the week, types of terminals.
  "l7ids",
  "l7pro",
  "weekdays",
  "allowTerminalTypes",
  // Numbers of states of the node that the call names.
  "from",
  "to",
  "serial",
]);

/** Whether ids, or lists of them, are what a field takes: the largest one fits no other number. */
const takesIds = (schema: z.ZodType): boolean => {
  const largest = String(Number.MAX_SAFE_INTEGER);
  return [largest, `3,${largest}`].some((text) => {
    const read = z.safeDecode(schema, text as never);
    if (!read.success) return false;
    const values = [read.data].flat() as unknown[];
    return values.every((value) => typeof value === "number");
  });
};

/** Fields inside a field: an object in it could name rows that nobody tries. */
const hasFields = (schema: z.ZodType): boolean => {
  const seen = new Set<unknown>();
  const look = (part: unknown): boolean => {
    if (typeof part !== "object" || part === null || seen.has(part)) return false;
    seen.add(part);
    const def = (part as z.ZodType)._zod?.def as unknown as Record<string, unknown> | undefined;
    if (!def) return Array.isArray(part) && part.some(look);
    if (def.type === "object" || def.type === "record") return true;
    return ["innerType", "in", "out", "element", "options"].some((name) => look(def[name]));
  };
  return look(schema);
};

/** Calls whose fields hold further ones, and the test that tries those. */
const holdsFields: Readonly<Record<string, string>> = {
  "sheet.export.query": "sheet-round-trip.test.ts",
  "sheet.template.inside": "sheet-round-trip.test.ts",
  "sheet.import.inside": "sheet-round-trip.test.ts",
};

/**
 * The kind of row that a field names; null: it names none.
 * @throws Error for a field that is called like a reference or takes ids, or that has further fields, and is not in
 * the tables above, so that no new one stays untried.
 */
export function kindOfField(call: string, field: string, schema: z.ZodType): RowKind | null {
  const [prefix = ""] = call.split(".");
  const own = byCallField[`${prefix}.${field}`];
  if (own) return own;
  // One field name of the wire for rows of several lists.
  if (prefix === "top" && field === "lineId") return "link";
  if (field === "nID" && prefix in allResources) return prefix as ResourceName;
  const ofPolicy = policyKind(call, field);
  if (ofPolicy) return ofPolicy;
  if (byField[field]) return byField[field];
  const reference = referenceKinds[`${prefix}.${field}`] ?? referenceKinds[field];
  if (reference && reference in ofReference) {
    return ofReference[reference as keyof typeof ofReference];
  }
  if (field === "id" || field === "ids") {
    // The name of a resource may have a dot of its own.
    const name = call.slice(0, call.lastIndexOf("."));
    const named = [name, prefix].find((one) => one in allResources);
    const kind = byCall[prefix] ?? (named === undefined ? null : (named as ResourceName));
    if (kind) return kind;
  }
  const looksLikeOne = /(?:^id|I[dD])s?$|^ids$/.test(field) || takesIds(schema);
  if (looksLikeOne && !noReference.has(field)) {
    throw new Error(`${call}: which kind of row does ${field} name? Say it in matrix-rows.ts`);
  }
  if (hasFields(schema) && !Object.hasOwn(holdsFields, `${call}.${field}`)) {
    throw new Error(`${call}: which rows do the fields in ${field} name? Say it in matrix-rows.ts`);
  }
  return null;
}

let made = 0;

/** Names of the next row, each with the prefix. */
export const nextMark = (prefix: string): Mark => {
  made += 1;
  const name = `${prefix}-${made}`;
  return { name, latin: name, number: made };
};

/** Wire form of the valid draft of a row that no other row forbids. */
function nextDraft(name: ResourceName, ids: SampleIds, prefix: string): Record<string, unknown> {
  const own = name === "user" ? { password: adminPassword } : {};
  return { ...distinctDraft(name, ids, nextMark(prefix)), ...own };
}

/** Adds a row with the first token that may; what the first may not make, the next one makes. */
async function add(
  api: TestApi,
  tokens: readonly string[],
  name: ResourceName,
  ids: SampleIds,
  prefix: string,
): Promise<number> {
  const refusals: string[] = [];
  for (const token of tokens) {
    const draft = nextDraft(name, ids, prefix);
    const answer = await api.post(allResources[name].ops.add.path, draft, token);
    if (answer.code === 0) return (answer.data as { id: number }).id;
    refusals.push(answer.msg);
  }
  throw new Error(`no user could create a ${name}: ${refusals.join("; ")}`);
}

/** Position of the POP's WAN link: that of the own CPE is 4, and the two have a link. */
export const popLineSlot = 3;

/**
 * Makes one row of each kind in an enterprise.
 * @param tokens tried in this order: what the first may not make, the next one makes.
 */
export async function makeRows(
  api: TestApi,
  tokens: readonly string[],
  enterprise: number,
  prefix: string,
): Promise<Rows> {
  const rows: Record<string, number> = { enterprise };
  for (const name of makingOrder) {
    const ids = sampleIds(rows);
    // A firmware task is for devices that report that they can run it.
    if (name === "firmwareTask") await reportCapability(api, enterprise, ids.cpeId);
    if (name === "dhcpReservation") await addReservingLan(api, tokens, ids);
    rows[name] = await add(api, tokens, name, ids, prefix);
  }
  Object.assign(rows, await policyRows(api, tokens, rows));
  await addPopLine(api, tokens, sampleIds(rows));
  rows.area = await addArea(api, tokens, rows, prefix);
  const alarmEvent = await addEvent(api, enterprise, rows, prefix);
  const rollout = await addRollout(api, rows);
  return {
    ...rows,
    alarmEvent,
    rollout,
    messageDelivery: await addDelivery(api, enterprise, "receiver_id", rows.messageReceive, prefix),
    webhookDelivery: await addDelivery(api, enterprise, "webhook_id", rows.webhook, prefix),
    ...(await loopRows(api, enterprise, rows, prefix)),
  } as Rows;
}

/** The LAN section that reservations of the samples are in; whoever may adds it. */
async function addReservingLan(api: TestApi, tokens: readonly string[], ids: SampleIds) {
  const draft = wireDraft("lansection", "valid", ids, reservationLan);
  for (const token of tokens) {
    const { code } = await api.post(allResources.lansection.ops.add.path, draft, token);
    if (code === 0) return;
  }
}

/** A WAN link of the POP that CPEs call. */
async function addPopLine(api: TestApi, tokens: readonly string[], { groupid, popId }: SampleIds) {
  const { number } = nextMark("line");
  const draft = wireDraft(
    "line",
    "valid",
    { groupid, cpeId: popId, popId },
    {
      slot: popLineSlot,
      interfaceName: `wan${popLineSlot}`,
      ip: `203.0.113.${1 + (number % 250)}/24`,
      gateway: "203.0.113.254",
    },
  );
  for (const token of tokens) {
    const { code } = await api.post(allResources.line.ops.add.path, draft, token);
    if (code === 0) return;
  }
  throw new Error("no user could create a WAN link of the POP");
}

/** An area with the CPE in it: bulk actions name their CPEs and filter them by it as well. */
async function addArea(
  api: TestApi,
  tokens: readonly string[],
  { enterprise: groupid = 0, cpe: node = 0 }: Record<string, number>,
  prefix: string,
): Promise<number> {
  const draft = { groupid, pId: 0, name: nextMark(prefix).name, sort: 10 };
  for (const token of tokens) {
    const answer = await api.post(cpeAreaAdd.path, draft, token);
    if (answer.code !== 0) continue;
    const { id } = answer.data as { id: number };
    await sql`update weft.node set area_id = ${id} where id = ${node}`.execute(
      api.database.pools.owner.db,
    );
    return id;
  }
  throw new Error("no user could create an area");
}

/** A rollout that is over; one that starts needs a CPE in the template. */
async function addRollout(
  api: TestApi,
  { routerTemplate: template = 0 }: Record<string, number>,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with frozen as (
      insert into weft.router_template_version (enterprise_id, template_id, version, content, created_by)
      select enterprise_id, id, 1, '{}', 1 from weft.router_template where id = ${template}
      returning enterprise_id, template_id, version)
    insert into weft.template_rollout (enterprise_id, template_id, version, state, waves, sizes, soak_s,
      grace_s, contact_gate, link_gate, finding_gate, ask_each, login_name, created_by)
    select enterprise_id, template_id, version, 'completed', 1, '{1}', 120, 60, true, true, true, false,
      'admin', 1 from frozen
    returning id`.execute(api.database.pools.owner.db);
  return rows[0]?.id ?? 0;
}

/** An alarm; only the worker raises one. */
async function addEvent(
  api: TestApi,
  enterprise: number,
  { cpe: node = 0 }: Record<string, number>,
  prefix: string,
): Promise<number> {
  const { name } = nextMark(prefix);
  const { rows } = await sql<{ id: number }>`
    insert into weft.alarm_event (enterprise_id, strategy_name, metric, level, node_id, node_kind,
      node_name, item, opened_at, last_at)
    values (${enterprise}, ${name}, 'node', 1, ${node}, 'cpe', ${name},
      '', now(), now())
    returning id`.execute(api.database.pools.worker.db);
  return rows[0]?.id ?? 0;
}

/** A message to a recipient or webhook that was given up. */
async function addDelivery(
  api: TestApi,
  enterprise: number,
  column: "receiver_id" | "webhook_id",
  owner = 0,
  prefix = "",
): Promise<number> {
  const { name } = nextMark(prefix);
  const { rows } = await sql<{ id: number }>`
    insert into weft.outbox (enterprise_id, channel, recipient, subject, body, purpose, event, state, ended_at,
      expires_at, ${sql.ref(column)})
    values (${enterprise}, 'webhook', ${`https://${name}.example`}, ${name}, ${name}, 'event', ${name}, 'failed',
      now(), now(), ${owner})
    returning id`.execute(api.database.pools.worker.db);
  return rows[0]?.id ?? 0;
}

/** Rows that come from devices and from the worker, not from a call. */
async function loopRows(
  api: TestApi,
  enterprise: number,
  { cpe: node = 0, pop = 0, netSpace = 0, user = 0 }: Record<string, number>,
  prefix: string,
) {
  const { name: key, number } = nextMark(prefix);
  return inScope(api.database.pools.apiAll, { kind: "all" }, async (trx) => {
    const identity = await sql<{ id: number }>`
      insert into weft.node_identity (enterprise_id, node_id, public_key, sn, address, state)
      values (${enterprise}, ${node}, ${key}, ${key}, '192.0.2.1', 'pending') returning id`.execute(
      trx,
    );
    const task = await sql<{ id: number }>`
      insert into weft.task (enterprise_id, node_id, type, content, created_by)
      values (${enterprise}, ${node}, 'state', ${key}, 1) returning id`.execute(trx);
    const record = await sql<{ id: number }>`
      select max(id) as id from weft.audit where enterprise_id = ${enterprise}`.execute(trx);
    const link = await sql<{ id: number }>`
      insert into weft.link (enterprise_id, space_id, index_in_space, a_node_id, a_slot, a_port,
        a_key, b_node_id, b_slot, b_port, b_key)
      values (${enterprise}, ${netSpace}, ${1_000 + number}, ${node}, 4, ${20_000 + number}, ${key},
        ${pop}, 4, ${30_000 + number}, ${key})
      returning id`.execute(trx);
    const message = await sql<{ id: number }>`
      insert into weft.message (enterprise_id, user_id, type, title, content)
      values (${enterprise}, ${user}, 0, ${[key, key]}, ${[key, key]}) returning id`.execute(trx);
    const batch = await sql<{ id: number }>`
      insert into weft.batch (enterprise_id, user_id, login_name, address, request_id, action, fields, total)
      values (${enterprise}, ${user}, ${key}, '192.0.2.1', ${key}, 'cpe.batchEnable', '{}', 0)
      returning id`.execute(trx);
    const port = await sql<{ id: number }>`
      select id from weft.cpe_port where node_id = ${node} order by id limit 1`.execute(trx);
    return {
      message: message.rows[0]?.id ?? 0,
      batch: batch.rows[0]?.id ?? 0,
      port: port.rows[0]?.id ?? 0,
      link: link.rows[0]?.id ?? 0,
      identity: identity.rows[0]?.id ?? 0,
      task: task.rows[0]?.id ?? 0,
      record: record.rows[0]?.id ?? 0,
    };
  });
}
