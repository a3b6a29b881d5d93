/**
 * What the contract offers and the console does not use, each with its reason: a call that loses its
 * last screen, or a permission that gates nothing, has to be listed here.
 */
import type { Access } from "@weft/contract/access.ts";
import { allEndpoints } from "@weft/contract/all-endpoints.ts";
import * as access from "@weft/contract/domains/access/domain.ts";
import * as delivery from "@weft/contract/domains/delivery/domain.ts";
import * as devices from "@weft/contract/domains/devices/domain.ts";
import * as enterprises from "@weft/contract/domains/enterprises/domain.ts";
import * as mobile from "@weft/contract/domains/mobile/domain.ts";
import * as monitoring from "@weft/contract/domains/monitoring/domain.ts";
import * as notifications from "@weft/contract/domains/notifications/domain.ts";
import * as overlay from "@weft/contract/domains/overlay/domain.ts";
import * as policies from "@weft/contract/domains/policies/domain.ts";
import * as templates from "@weft/contract/domains/templates/domain.ts";
import { idlePermissions, permissionCodes } from "@weft/contract/permissions.ts";
import { describe, expect, it } from "vitest";
import { codeFrom, textsIn, usesOf } from "./test/code-use.ts";

/** All that a page can load, but for the show page of the parts of screens. */
const code = codeFrom("src/main.tsx", /kernel-show/);

const domains = [
  access,
  delivery,
  devices,
  enterprises,
  mobile,
  monitoring,
  notifications,
  overlay,
  policies,
  templates,
];

const isCall = (value: unknown): value is { readonly id: string } =>
  typeof value === "object" && value !== null && "successCode" in value;

type CallResult = { readonly id: string };

/** Calls that a value of the contract is or has: a group of calls that is handed on is used as a whole. */
const callsIn = (value: unknown): CallResult[] => {
  if (isCall(value)) return [value];
  const isGroup = typeof value === "object" && value !== null && !Array.isArray(value);
  return isGroup ? Object.values(value).filter(isCall) : [];
};

/**
 * Calls that the code does something with. A call is used where it itself is handed on: who asks it for
 * a field (its form, its permission) has not called it.
 */
async function called(): Promise<ReadonlySet<CallResult>> {
  const found = new Set<CallResult>();
  for (const { module, name, field } of usesOf(code, "@weft/contract/")) {
    const all = (await import(module)) as Record<string, unknown>;
    const value = name === null ? all : all[name];
    const used =
      field === null || isCall(value) ? value : (value as Record<string, unknown>)[field];
    if (isCall(value) && field !== null) continue;
    for (const call of callsIn(used)) found.add(call);
  }
  return found;
}

/** Calls of their own: those of a resource come with its list and its form. */
const ofResources = new Set<unknown>(
  domains.flatMap(({ resources }) =>
    Object.values<{ ops: object }>(resources).flatMap(({ ops }): unknown[] => Object.values(ops)),
  ),
);

async function uncalled(): Promise<string[]> {
  const known = await called();
  return domains
    .flatMap(({ calls }) => calls.flatMap((module): unknown[] => Object.values(module)))
    .flatMap(callsIn)
    .filter((call) => !known.has(call) && !ofResources.has(call))
    .map(({ id }) => id)
    .sort();
}

const why = {
  early: "the login asks it by its path, before the code of calls is loaded",
  other: "the console reads or writes the same rows by another call; kept for programs",
  noScreen: "the specification names the call and describes no screen for it",
} as const;

/** Calls without a caller, by id. */
const reasons: Readonly<Record<string, (typeof why)[keyof typeof why]>> = {
  "account.batchExpire": why.other,
  "account.export": why.other,
  "account.import": why.other,
  "auth.apiConfig": why.early,
  "auth.apiJxConfig": why.noScreen,
  "ckcommon.l7page": why.other,
  "cklog.flow.cardflow": why.other,
  "cklog.flow.cardlist": why.other,
  "cklog.flow.cpe2cpe": why.other,
  "cklog.flow.cpe2pop": why.other,
  "cklog.flow.cpebyte": why.other,
  "cklog.flow.sessionpage": why.other,
  "cklog.flow.tree": why.other,
  "cklog.flow.urlpage": why.other,
  "common.commonGetHttp": why.noScreen,
  "common.commonHttpFileImport": why.noScreen,
  "common.commonPostHttp": why.noScreen,
  "cpe.addChild": why.noScreen,
  "cpe.batchEditXwan": why.other,
  "cpe.getActive": why.noScreen,
  "cpe.insert": why.other,
  "cpeCfg.editXwan": why.other,
  "cpeReport.detail": why.other,
  "cpeType.list": why.noScreen,
  "enterprise.cascader": why.other,
  "enterprise.cascaderAll": why.other,
  "enterprise.cascaderAllNew": why.other,
  "enterprise.cascaderNew": why.other,
  "enterprise.findAll": why.other,
  "ipgroup.listByGroupId": why.other,
  "ipgroup.listNoPage": why.other,
  "log.flow.cardflow": why.other,
  "log.flow.cardlist": why.other,
  "log.flow.cpebyte": why.other,
  "log.getLogTree": why.other,
  "menu.tree": why.other,
  "message.getById": why.other,
  "netSpace.getChildAndSelfCpe": why.other,
  "netSpace.getChildAndSelfCpeAndDirectLine": why.other,
  "netSpace.getTargeCpe": why.other,
  "pop.getLineInfoById": why.other,
  "popGroupDef.list": why.noScreen,
  "role.menus": why.other,
  "role.saveDataScope": why.other,
  "role.saveMenus": why.other,
  "router.initPolicy": why.other,
  "router.initPolicyPop": why.other,
  "top.DateInfo": why.other,
  "top.getSingleTerminalInfo": why.other,
  "top.lineHistoryInfo": why.other,
  "xwanSpeedDefine.import": why.other,
};

/** Codes that let a call be made. */
const neededBy = (may: Access | null): readonly string[] => {
  if (may === null) return [];
  if (typeof may === "string") return [may];
  return "open" in may ? [] : may.anyOf;
};

describe("the contract", () => {
  it("has no call without a caller but those that are listed with their reason", {
    timeout: 600_000,
  }, async () => {
    expect(await uncalled()).toEqual(Object.keys(reasons).sort());
  });

  it("has no permission that gates nothing but those that the form of a role does not offer", () => {
    const gating = new Set<string>(allEndpoints.flatMap(({ may }) => neededBy(may)));
    const texts = textsIn(code);
    const idle = permissionCodes.filter(
      (permissionCode) => !gating.has(permissionCode) && !texts.has(permissionCode),
    );
    expect([...idle].sort()).toEqual(Object.keys(idlePermissions).sort());
  });
});
