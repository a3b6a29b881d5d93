/**
 * Which calls make or widen a way to log in, or to act later on: each of them needs the caller's own password, so that a
 * stolen session, or a colleague at an unlocked desk, makes none that outlives the session. A resource without an entry
 * does not compile, and a call without one fails `ways-in.test.ts`: what a new one needs is decided when it is made.
 */
import type { ResourceName } from "#contract/all-endpoints.ts";
import { policyFamilies } from "#domains/policies/policy-families.ts";
import { endpointsOf } from "#kernel/policy-family.ts";

/** `always`: each call needs the password (`Endpoint.ownPassword`). `when`: in these cases. `none`: why it makes no way in. */
export type WayIn =
  | { readonly password: "always" }
  | { readonly when: string }
  | { readonly none: string };

const always: WayIn = { password: "always" };
const when = (cases: string): WayIn => ({ when: cases });
const none = (reason: string): WayIn => ({ none: reason });

const network = none("configures devices and networks, in which nobody logs in to the controller");
const organises = none("sorts and names what there is");
const sendsOut = none("sends events out; what receives them cannot act here");
const ends = none("takes a way in away");
const reads = none("writes nothing that outlives the call");
const clients = none(
  "accounts of VPN clients reach a network, as its configuration lets them, and no controller",
);

/** Resources whose calls are decided one by one. */
type Decided = "user" | "role" | "apiKey" | "identityProvider" | "enterprise" | "routerTemplate";

const ofResources: Readonly<Record<Exclude<ResourceName, Decided>, WayIn>> = {
  pop: network,
  cpe: network,
  line: network,
  lansection: network,
  staticroute: network,
  dnsmasq: network,
  dhcpReservation: network,
  dialTask: network,
  firmwareTask: none("devices take firmware with a signature of its maker only"),
  branch: organises,
  comAudit: organises,
  configItem: organises,
  account: clients,
  alarmStrategy: organises,
  alarmRule: organises,
  alarmWindow: organises,
  messageReceive: sendsOut,
  webhook: sendsOut,
  netSpace: network,
  xwanCircuit: network,
  cug: network,
  segmentRoute: network,
  routeNotice: network,
  vbrNode: network,
  vbrTable: network,
  popStrategy: network,
  popGroup: network,
  "saasGroup.domain": network,
  "saasGroup.dpi": network,
  "saasGroup.ip": network,
  "saasGroup.app": network,
  xwanSpeed: network,
  xwanSpeedDefine: network,
  ipgroup: network,
  urlgroup: network,
  xaclrules: network,
  blacklist: network,
};

/** Calls by what their ids begin with, where all of them are alike. */
const ofNouns: Readonly<Record<string, WayIn>> = {
  alarmEvent: organises,
  batch: none("cancels a job; what a job does is the call's that started it"),
  brand: none("names and pictures; the host of a brand logs in nobody"),
  claim: none("a device's, which can do nothing but take its configuration"),
  enrolment: none("a device's, which can do nothing but take its configuration"),
  clientConfig: clients,
  common: reads,
  cpeArea: organises,
  cpeCfg: network,
  cpePorts: network,
  link: network,
  message: organises,
  nodeState: network,
  operaRecord: none("undoes rows of resources that make no way in (record-undo.ts)"),
  paramConfig: organises,
  popCfg: network,
  router: reads,
  routerTemplateRel: network,
  routerTemplateRollout: network,
  routerTemplateTarget: network,
  routerTemplateVersion: network,
  task: none("cancels a task of a device"),
  trafficClass: network,
};

const begun = none("only after a begin with the password, whose ticket or secret it needs");

/** One by one. */
const ofCalls: Readonly<Record<string, WayIn>> = {
  "user.add": always,
  "user.edit": when(
    "the enterprise, the roles, the login name, the phone number or the address changes",
  ),
  "user.editEnable": when("it enables"),
  "user.resetPwd": always,
  "user.resetFactors": always,
  "user.remove": ends,
  "user.endSession": ends,
  "user.confirmBegin": none("sends a code to an address that was set with the password"),
  "user.confirm": none("proves an address that was set with the password"),
  "role.add": none("nobody has it: who gets it is a change of a user or a key"),
  "role.edit": when("what it gives, how far it sees or whether it demands MFA changes"),
  "role.saveMenus": when("the permissions change"),
  "role.saveDataScope": when("the data scope changes"),
  "role.remove": ends,
  "apiKey.add": always,
  "apiKey.edit": when("the role or the end changes"),
  "apiKey.remove": ends,
  "identityProvider.add": always,
  "identityProvider.edit": when("more than the name and the remark changes"),
  "identityProvider.link": always,
  "identityProvider.check": reads,
  "identityProvider.remove": ends,
  "enterprise.add": none("nobody is in it: its people are added as users"),
  "enterprise.edit": when("the parent or the password policy changes"),
  "enterprise.editEn": when("it enables: its accounts may log in again"),
  "enterprise.remove": ends,
  "enterprise.charge": none("moves money"),
  "enterprise.editConfig": network,
  "enterprise.editCTGConfig": network,
  "enterprise.editStrategy": network,
  "enterpriseInfo.edit": organises,
  "routerTemplate.add": network,
  "routerTemplate.edit": network,
  "routerTemplate.remove": network,
  "routerTemplate.issue": network,
  "routerTemplate.visit": none("opens templates alone, for ten minutes, and ends with the login"),
  "routerTemplate.endVisits": ends,
  "sheet.import": when("the rows are users or roles, or change a password policy"),
  "demonstration.leave": none("user 1 keeps the password with which the installation begins"),
  "factor.totpBegin": always,
  "factor.totpConfirm": begun,
  "factor.totpRemove": always,
  "factor.passkeyBegin": always,
  "factor.passkeyAdd": begun,
  "factor.passkeyRemove": always,
  "factor.recoveryRenew": always,
  "auth.editPassword": always,
  "auth.logout": ends,
  "auth.sysSearchRelEdit": organises,
};

const nounOf = (id: string): string => id.slice(0, id.lastIndexOf("."));

/** What an acting call of a session needs; null: nobody has decided it. */
export const wayInOf = (id: string): WayIn | null => {
  const known: Readonly<Record<string, WayIn>> = { ...ofNouns, ...ofResources };
  const noun = nounOf(id);
  // Policies of devices are of many kinds, all with the same calls.
  return ofCalls[id] ?? known[noun] ?? (families.has(noun) ? network : null);
};

const families = new Set(
  policyFamilies.flatMap(({ template, manage }) =>
    [...endpointsOf(template), ...endpointsOf(manage)].map(({ id }) => nounOf(id)),
  ),
);

/** Every decision by what it is about, for the test that none is left over. */
export const decidedCalls: readonly string[] = Object.keys(ofCalls);
