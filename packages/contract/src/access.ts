/** What calls ask of their callers, written so that none can be declared without a decision. */
import type { GrantedMenu } from "#contract/menu.ts";
import type { Permission } from "#contract/permissions.ts";

/** What a role gives: permission codes, and entries of the menu by their path. */
export type Grant = Permission | GrantedMenu;

/** One of these is enough: the screens that make the call. The first is named where it is refused. */
export interface AnyGrant {
  readonly anyOf: readonly [Grant, ...Grant[]];
}

/** Every session may, for this reason; the data scope still applies. */
export interface EverySession {
  readonly open: string;
}

/** What a call asks of its caller. */
export type Access = Permission | AnyGrant | EverySession;

/** Of a call without a code of its own: the screens that need it, or the codes that open them. */
export const screens = (...anyOf: readonly [Grant, ...Grant[]]): AnyGrant => ({ anyOf });

/** Of a call that every session may make: why. */
export const everySession = (reason: string): EverySession => ({ open: reason });

/** For the reference: what a call asks for, null being a call without a session. */
export function accessText(access: Access | null): string {
  if (access === null) return "no session";
  if (typeof access === "string") return access;
  return "open" in access ? `any session: ${access.open}` : access.anyOf.join(" or ");
}

/** The permission code that a call asks for; null: it asks for a screen, or for nothing. */
export const permissionOf = (access: Access | null): Permission | null =>
  typeof access === "string" ? access : null;

/** The caller's own account, password, MFA and logins. */
export const ownAccount = everySession("the caller's own account");

/** What selects of forms offer: the forms are of many screens, and ask for more to be saved. */
export const namesForForms = everySession("names for the selects of forms, within the data scope");

/** What the pages of a CPE and of a POP are made of, their configuration as well. */
export const nodeScreens = screens(
  "/sdwan-system/cpe",
  "/sdwan-system/pop",
  "cpeConfig",
  "popConfig",
);
