/** Users of each role, and pages that are logged in as one of them. */

import { role } from "@weft/contract/domains/access/role.ts";
import { login } from "@weft/contract/domains/access/session.ts";
import { user } from "@weft/contract/domains/access/user.ts";
import { grantedMenus } from "@weft/contract/grants.ts";
import { type Caller, callerOf } from "@weft/contract/kernel/client.ts";
import type { GrantedMenu } from "@weft/contract/menu.ts";
import { type Permission, permissionCodes, permissions } from "@weft/contract/permissions.ts";
import type { Browser } from "playwright-core";
import { type Display, type Visit, visit } from "./browser.ts";
import type { Reached } from "./installation.ts";

/** Of everybody here, the first administrator of each installation among them. */
export const password = "e2e-start1";

/** A token as a login returns it. */
export async function tokenOf(url: string, loginName: string, text = password): Promise<string> {
  const ask = callerOf(url, () => null);
  return (await ask(login, { loginName, password: text, sms: null })).data.token;
}

/** The first administrator, who prepares what tests need. */
export async function adminOf({ url, password: text }: Reached): Promise<Caller> {
  const token = await tokenOf(url, "admin", text);
  return callerOf(url, () => token);
}

export interface Person {
  readonly name: string;
  readonly groupid: number;
  /** Section 1: 0 operator, 1 agent, 2 enterprise. */
  readonly roleType: 0 | 1 | 2;
  /** Permissions of the role; by default all that users of its type may have. */
  readonly authorities?: readonly Permission[];
  /** Entries of the menu that have no code; by default all of them. */
  readonly menus?: readonly GrantedMenu[];
}

const allOf = (roleType: 0 | 1 | 2): Permission[] =>
  permissionCodes.filter((code) => permissions[code].roles.includes(roleType));

/** Creates a role and a user with it. */
export async function addPerson(call: Caller, person: Person): Promise<void> {
  const { name, groupid, roleType, authorities = allOf(roleType), menus = grantedMenus } = person;
  const made = await call(role.ops.add, {
    roleCode: name,
    name,
    groupid,
    roleType,
    dataScope: 3,
    groupids: [],
    remark: "",
    authorities: [...authorities, ...menus],
    demandFactor: false,
  });
  const draft = { loginName: name, name, groupid, phone: null, email: null, remark: "" };
  await call(user.ops.add, { ...draft, roleIds: [made.data.id], password, oldPsw: password });
}

/** Opens the console with this token stored, as after a login with "remember me". */
export async function visitAs(
  browser: Browser,
  url: string,
  token: string,
  display?: Display,
): Promise<Visit> {
  const opened = await visit(browser, url, display);
  // Any file of the console: storage belongs to the origin.
  await opened.page.goto("/icon.svg");
  await opened.page.evaluate((text) => localStorage.setItem("access_token", text), token);
  return opened;
}
