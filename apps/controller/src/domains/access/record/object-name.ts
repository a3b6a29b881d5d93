import type { ResourceName } from "@weft/contract/all-endpoints.ts";
import type { otherModules } from "@weft/contract/domains/access/record-modules.ts";
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";

type Values = Readonly<Record<string, unknown>> | null;
type Module = ResourceName | keyof typeof otherModules;

/** There is one of it in its place, by which it is called. */
const one = [] as const;

/** Fields by which people call a row of any module, the best first. */
const general = ["alias", "loginName", "login_name", "name"] as const;

/** The same of modules whose rows have none of these; a test finds one that is missing here. */
const nameFields: Readonly<Partial<Record<Module, readonly string[]>>> = {
  line: ["name", "interfaceName"],
  lansection: ["network", "network6", "interfaceName"],
  staticroute: ["destination"],
  dnsmasq: ["domain", "file"],
  dhcpReservation: ["address"],
  configItem: ["configKey", "config_key"],
  alarmRule: ["metric"],
  alarmWindow: ["reason"],
  routeNotice: ["network"],
  vbrTable: ["network"],
  xwanSpeedDefine: ["value"],
  blacklist: ["value"],
  routerTemplate: ["templateName", "temName", "name"],
  batch: ["action"],
  brand: one,
  claim: ["sn"],
  clientConfig: one,
  command: one,
  cpeCfg: one,
  dealRecord: one,
  demonstration: one,
  enrolment: ["sn"],
  installation: one,
  link: one,
  loginRecord: one,
  nodeState: one,
  operaRecord: one,
  paramConfig: one,
  popCfg: one,
  posting: ["orderNo"],
  rechargeRecord: one,
  task: ["serial"],
  templateVisit: one,
  trafficClass: one,
};

/** Families call their rows by the field that their lists show first. */
const labels: ReadonlyMap<string, readonly string[]> = new Map(
  policyFamilies.flatMap(({ spec, template, manage }) => {
    const fields = spec.label === "name" ? ["name"] : [spec.label, "name"];
    return [template, manage].map(({ resource }) => [resource.name, fields] as const);
  }),
);

/** Name fields of a module's rows; none: there is a single row. */
export const nameFieldsOf = (module: string): readonly string[] =>
  nameFields[module as Module] ?? labels.get(module) ?? general;

/** The one row of a module in its place: it needs no name. */
export const isOnly = (module: string): boolean => nameFieldsOf(module).length === 0;

/** What the row is called by its values; empty when they do not say. */
export function rowName(module: string, old: Values, now: Values): string {
  for (const field of nameFieldsOf(module)) {
    const value = now?.[field] ?? old?.[field];
    if (typeof value === "string" && value !== "") return value;
    if (typeof value === "number") return String(value);
  }
  return "";
}
