/** Input of calls for the tenancy matrix: with the caller's own rows in it, and with every field filled. */
import { allResources, type ResourceName } from "@weft/contract/all-endpoints.ts";
import { fileFieldsOf } from "@weft/contract/kernel/codec.ts";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import { checkWire } from "@weft/contract/kernel/rule.ts";
import { sampleIds } from "@weft/contract/samples/making-order.ts";
import type { z } from "zod";
import { adminPassword, textFile } from "./api.ts";
import { ownPolicyDraft, queriedFamily } from "./matrix-policy.ts";
import { kindOfField, nextMark, popLineSlot, type Rows } from "./matrix-rows.ts";
import { shapeOf } from "./schema-shape.ts";
import { distinctDraft } from "./tenants.ts";

/** Values of fields that no draft has. */
const others: Readonly<Record<string, unknown>> = {
  enable: 1,
  setEnable: 1,
  isPush: 0,
  strategyType: 1,
  nodeConfig: "",
  credit: 1,
  expireNoticeDays: 30,
  timezone: "UTC",
  logDays: 30,
  classType: "cpe",
  channel: "dingtalk",
  family: queriedFamily,
  policy: "flag",
  enableForward: 1,
  enableDirect: 1,
  preApproved: 1,
  dataScope: 4,
  authorities: "cpeEdit",
  oldPsw: adminPassword,
  newPsw: adminPassword,
  rePsw: adminPassword,
};

const hostsFile = textFile("hosts", "10.1.1.20 erp.example.com\n");

/**
 * Values of fields of one call, in place of those of its draft. Without them the call would be refused before a row is looked
 * for, and a refusal of a stranger's row would prove nothing.
 */
const byCall: Readonly<Record<string, (own: Rows) => Readonly<Record<string, unknown>>>> = {
  // The own CPE has a line in slot 4 and is in a space already.
  "line.add": () => ({ slot: 3, interfaceName: "wan3" }),
  "netSpace.add": () => ({ cpeIds: "" }),
  "link.add": () => ({ sourceSlot: 4, targetSlot: popLineSlot }),
  // The kind of row that its ids name is another field of the call.
  "uses.findAll": () => ({ resource: "cpe" }),
  "account.editPass": () => ({ password: "Client2030" }),
  "account.import": () => {
    const { number } = nextMark("import");
    const text = `loginName,alias,terminalType\r\nimport${number},import-${number},6\r\n`;
    return { file: textFile("accounts.csv", text), check: 0 };
  },
  "clientConfig.edit": () => ({ ipPool: "10.250.0.0/24" }),
  "common.commonHttp": () => ({ url: "/status" }),
  "common.commonGetHttp": () => ({ url: "/status" }),
  "common.commonPostHttp": () => ({ url: "/import" }),
  "common.commonHttpFileImport": () => ({ url: "/import", file: hostsFile }),
  "cpe.batchReboot": () => ({ password: adminPassword }),
  // It stays in the area by which bulk actions filter their CPEs.
  "cpe.edit": ({ area }) => ({ areaId: area }),
  "cpe.insert": (own) => distinctDraft("cpe", sampleIds(own), nextMark("own")),
  "cpe.addChild": (own) => distinctDraft("cpe", sampleIds(own), nextMark("own")),
  // The own area keeps its place, and none below it: it is to be removed.
  "cpeArea.add": () => ({ pId: 0 }),
  "cpeArea.edit": () => ({ pId: 0 }),
  "cpe.editCugConfig": () => ({ bandwidth: 1_000_000 }),
  "cpe.emailSend": () => ({ title: "activation", email: "site@example.com" }),
  "cpe.reboot": () => ({ password: adminPassword }),
  "dnsmasq.importData": () => ({ file: hostsFile }),
  "router.iniPing": () => ({ host: "192.0.2.10", type: "ping", count: 1 }),
  "routerTemplateRollout.start": () => ({
    waves: "1",
    soak: 120,
    grace: 60,
    contactGate: 1,
    linkGate: 1,
    findingGate: 1,
    askEach: 0,
  }),
};

/** Input that the call accepts, with the caller's own rows in it. */
export function ownInput({ id, input }: Endpoint, own: Rows): Record<string, unknown> {
  // The name of a resource may have a dot of its own.
  const [prefix, verb] = [id.slice(0, id.lastIndexOf(".")), id.slice(id.lastIndexOf(".") + 1)];
  const isDraft = prefix in allResources && ["add", "edit", "insertNew"].includes(verb);
  const name = prefix as ResourceName;
  const ids = sampleIds(own);
  // A role's enterprises are looked at in the scope that names them only.
  const selected = prefix === "role" ? { dataScope: 4, groupids: own.enterprise } : {};
  const draft = isDraft
    ? { ...distinctDraft(name, ids, nextMark("own")), ...selected }
    : ownPolicyDraft(id, own);
  Object.assign(draft, byCall[id]?.(own));
  const shape = shapeOf(input);
  // A node's rows are asked for by its one field.
  if ("cpeId" in shape && "popId" in shape) draft.popId = "";
  const fields = Object.entries(shape).map(([field, schema]): [string, unknown] => {
    const kind = field in draft ? null : kindOfField(id, field, schema);
    // A filter that is not asked for is left empty.
    return [field, kind ? own[kind] : (draft[field] ?? others[field] ?? "")];
  });
  const given = fields.filter(([field]) => !["page", "limit"].includes(field));
  return Object.fromEntries(given);
}

/** Values of fields that no draft has: of the first ones that a field takes. */
const candidates = [
  "1",
  "a-name",
  adminPassword,
  "2030-01-01 00:00:00",
  "wan1",
  "10.9.9.1",
  "10.9.9.0/24",
];

/** A value that a field takes, of whatever kind; undefined: none of those. */
function anyValueOf(schema: z.ZodType): unknown {
  const wrong = checkWire(schema, "\u0001");
  const choice = wrong.ok ? undefined : wrong.issues.find(({ rule }) => rule === "oneOf");
  const choices = String(choice?.params.values ?? "").split(", ");
  return [...candidates, ...choices].find((one) => checkWire(schema, one).ok);
}

/** Input whose fields are all filled, so that no empty one is refused before a row is looked for. */
export function filled(endpoint: Endpoint, input: Readonly<Record<string, unknown>>) {
  const files = fileFieldsOf(endpoint.input);
  const more = Object.entries(shapeOf(endpoint.input)).flatMap(([field, schema]) => {
    if ((input[field] ?? "") !== "") return [];
    if (files.includes(field)) return [[field, textFile("a.csv", "name\r\na\r\n")]];
    if (checkWire(schema, "").ok) return [];
    const value = anyValueOf(schema);
    return value === undefined ? [] : [[field, value]];
  });
  return { ...input, ...(Object.fromEntries(more) as Record<string, unknown>) };
}
