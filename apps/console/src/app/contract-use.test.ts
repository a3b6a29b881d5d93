/**
 * What the contract offers and the console does not use, each with its reason: a call that loses its
 * last screen, or a permission that gates nothing, has to be listed here.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
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
import { permissionCodes } from "@weft/contract/permissions.ts";
import { describe, expect, it } from "vitest";

const src = join(import.meta.dirname, "..");
const texts = globSync("**/*.{ts,tsx}", { cwd: src })
  .filter((file) => !/\.test\.|kernel-show|messages\.ts$/.test(file))
  .map((file) => readFileSync(join(src, file), "utf8"));
/** Every name that the console's own code has; tests, texts and the show page do not count. */
const names = new Set(texts.flatMap((text) => text.match(/\w+/g) ?? []));

const domains = [
  ...[access, delivery, devices, enterprises, mobile],
  ...[monitoring, notifications, overlay, policies, templates],
];

const isCall = (value: unknown): value is { readonly id: string } =>
  typeof value === "object" && value !== null && "successCode" in value;

/** Calls of their own (not a resource's verbs) whose name the console never says. */
const uncalled = (): string[] =>
  domains
    .flatMap(({ calls }) => calls.flatMap((module) => Object.entries(module)))
    .flatMap(([name, call]) => (isCall(call) && !names.has(name) ? [call.id] : []))
    .sort();

const why = {
  other: "the console reads or writes the same rows by another call; kept for programs",
  noScreen: "the specification names the call and describes no screen for it",
} as const;

/** Calls without a caller, by id. */
const reasons: Readonly<Record<string, (typeof why)[keyof typeof why]>> = {
  "auth.apiJxConfig": why.noScreen,
  "cklog.flow.cardflow": why.other,
  "cklog.flow.cardlist": why.other,
  "cklog.flow.cpebyte": why.other,
  "ckcommon.l7page": why.other,
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
  "enterprise.getByGroupId": why.other,
  "ipgroup.listByGroupId": why.other,
  "ipgroup.listNoPage": why.other,
  "log.flow.cardflow": why.other,
  "log.flow.cardlist": why.other,
  "log.flow.cpebyte": why.other,
  "message.getById": why.other,
  "netSpace.getChildAndSelfCpe": why.other,
  "netSpace.getChildAndSelfCpeAndDirectLine": why.other,
  "netSpace.getTargeCpe": why.other,
  "pop.getLineInfoById": why.other,
  "popGroup.combo": why.noScreen,
  "popGroupDef.list": why.noScreen,
  "role.menus": why.other,
  "role.saveDataScope": why.other,
  "role.saveMenus": why.other,
  "router.initPolicy": why.other,
  "router.initPolicyPop": why.other,
  "top.DateInfo": why.other,
  "top.getSingleTerminalInfo": why.other,
  "top.lineHistoryInfo": why.other,
};

const twin = (code: string): string => `${code} gates the same: one list serves both names`;
const notYet = "what it would open is not part of the product yet";

/** Permissions that gate neither a call nor a control. */
const gateless: Readonly<Record<string, string>> = {
  accountCusExpire: twin("accountExpire"),
  clientBatchExpire: twin("accountBatchExpire"),
  clientExpire: twin("accountExpire"),
  clientRemove: twin("accountRemove"),
  cpeOpenAccount: twin("clientAdd"),
  cpeSsh: notYet,
  messageReceiveDingtalkFlag: notYet,
  messageReceiveWechat: notYet,
  popDiagnosis: notYet,
  popRedirectUrl: notYet,
  topPppoe: "the topology shows no PPPoE sessions",
};

describe("the contract", () => {
  it("has no call without a caller but those that are listed with their reason", () => {
    expect(uncalled()).toEqual(Object.keys(reasons).sort());
  });

  it("has no permission that gates nothing but those that are listed with their reason", () => {
    const gating = new Set<string | null>(allEndpoints.map(({ may }) => may));
    const idle = permissionCodes.filter((code) => !gating.has(code) && !names.has(code));
    expect([...idle].sort()).toEqual(Object.keys(gateless).sort());
  });
});
