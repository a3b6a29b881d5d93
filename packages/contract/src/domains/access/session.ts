import { z } from "zod";
import { everySession, ownAccount } from "#contract/access.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import { failsWith } from "#kernel/rule.ts";
import { isPasswordOf, passwordIssue, passwordLengths } from "#rules/password-policy.ts";
import * as text from "#rules/text.ts";
import { type PasswordPolicy, passwordPolicies } from "./enums.ts";

/** Section 3, menu node. `url` is the name of the view; empty for a pure parent. */
export interface ServerMenuNode {
  menuId: number;
  parentId: number;
  menuName: string;
  menuNameEn: string;
  icon: string;
  path: string;
  url: string;
  hide: boolean;
  /** false: the breadcrumb leaves it out (section 2.5). */
  breadcrumb?: boolean | undefined;
  children: ServerMenuNode[];
}

/** Another server may leave these fields out, and send the nodes flat. */
type SentMenuNode = Pick<ServerMenuNode, "menuId" | "parentId" | "menuName"> & {
  [Field in "menuNameEn" | "icon" | "path" | "url"]?: string | undefined;
} & { hide?: boolean | undefined; children?: SentMenuNode[] | undefined };

const menuNode: z.ZodType<ServerMenuNode, SentMenuNode> = z.object({
  menuId: z.number(),
  parentId: z.number(),
  menuName: z.string(),
  menuNameEn: z.string().default(""),
  icon: z.string().default(""),
  path: z.string().default(""),
  url: z.string().default(""),
  hide: z.boolean().default(false),
  breadcrumb: z.boolean().optional(),
  get children() {
    return z.array(menuNode).default([]);
  },
});

const sessionUser = {
  userId: z.number(),
  loginName: z.string(),
  /** Role codes. */
  roles: z.array(z.string()),
  roleType: z.number(),
  groupid: z.number(),
  authorities: z.array(z.string()),
};

/** Answer of every way to log in. */
export const loggedIn = z.object({
  token: z.string(),
  /** Kept by the device and sent with its next login to the account: others cannot delay that. */
  device: z.string().optional(),
  ...sessionUser,
});

/** What the device got at an earlier login to the account. */
export const deviceField = codec.orNull(codec.text(256)).optional();

export const login = endpoint({
  id: "auth.login",
  method: "POST",
  path: "/api/v1/customer/login",
  auth: "none",
  input: z.object({
    loginName: codec.text(64, 1),
    password: z.string().min(1).max(128),
    /** Code by text message, of an app, or one for recovery. */
    sms: codec.orNull(codec.text(20)),
    device: deviceField,
  }),
  output: loggedIn,
  may: null,
});

const sessionAnswer = z.object({
  ...sessionUser,
  /** The person once more, where the menu load of section 7.1 has them. */
  user: z.object(sessionUser).partial().optional(),
  enterpriseName: z.string(),
  perms: z.array(z.string()),
  menus: z.array(menuNode),
  /** What a new password of the caller must be. */
  passwordPolicy: codec.oneOf(passwordPolicies),
  /** Nothing is open to the caller until MFA is set up. */
  mustAddFactor: codec.flag,
  /** The caller has MFA, and may set what demands it of others. */
  hasMfa: codec.flag.optional(),
  /**
   * The login was one by an identity provider: for ten minutes after the person authenticated there, as its ID token
   * says (`auth_time`), it stands for the password (`oldPsw`).
   */
  providerLogin: codec.flag.optional(),
  /** The provider, for authenticating there again; null: no such login, or the provider is gone. */
  providerId: z.number().nullable().optional(),
  /** The installation is the demonstration that `npm start` begins with. */
  demonstration: z.boolean().optional(),
  /** When a link for templates ends, and all that is open to a visitor by it; null: a login. */
  visitEndTime: codec.instant.nullable().optional(),
  sysName: z.string(),
  logo: z.string(),
  /** Of the browser's tab, and the colour of users who selected none; empty: the logo, the default blue. */
  icon: z.string().optional(),
  color: z.string().optional(),
  /** Shown columns of the person's tables, by the path of the list (section 7.1, `colums`). */
  colums: z.record(z.string(), z.array(z.string())),
  /** Of the CPEs and of the accounts, comma-joined: the same under the names of section 3. */
  cpeColomn: z.string(),
  clientColomn: z.string(),
  /** Name beside the logo, of the brand; where there is none, `syslogoName` is used. */
  logoName: z.string().optional(),
  syslogoName: z.string().optional(),
  /** Pages that are open from the beginning, as paths of this console. */
  tabs: z.array(z.string()).optional(),
  /** A special system: its name is shown where the brand has none (section 9). */
  sysConfig: z.string().optional(),
  /** 1: offline CPEs of some enterprises are displayed as online. */
  cpeMockOnline: z.number().optional(),
  /** Ids of enterprises that this holds for beside those of section 9, comma-joined. */
  simulationGroup: z.string().optional(),
  /** Days that logs are kept. */
  logDate: z.string().optional(),
});

/** Menus, roles and authorities of the caller (sections 7.1 and 2.2). */
export const session = endpoint({
  id: "auth.session",
  method: "GET",
  path: "/customer/session",
  input: z.object({}),
  output: sessionAnswer,
  may: everySession("who the caller is, and what is open to the caller"),
});

/**
 * The menu load as section 7.1 states it: the person inside of `user`, permissions as `perms`, and
 * nothing that this controller says besides. A configured menu url may answer so.
 */
export const sentSession = sessionAnswer.partial();

/** What a menu load comes to. @throws Error when it does not say who is logged in. */
export const sessionOf = (sent: z.output<typeof sentSession>): z.output<typeof sessionAnswer> => {
  const given = { ...sent.user, ...sent };
  const { userId, loginName } = given;
  if (userId === undefined || loginName === undefined) throw new Error("no user in the menu load");
  const authorities = given.authorities ?? given.perms ?? [];
  const { roles = [], roleType = 2, groupid = 0, menus = [], colums = {} } = given;
  const { passwordPolicy = "spec", mustAddFactor = false, enterpriseName = "" } = given;
  const { sysName = "", logo = "", cpeColomn = "", clientColomn = "" } = given;
  return {
    ...given,
    userId,
    loginName,
    roles,
    roleType,
    groupid,
    enterpriseName,
    menus,
    colums,
    passwordPolicy,
    mustAddFactor,
    sysName,
    logo,
    cpeColomn,
    clientColomn,
    authorities,
    perms: given.perms ?? authorities,
  };
};

/** The menus that the caller may see or give, as a tree: what a role is made of (section 2.3). */
export const menuTree = endpoint({
  id: "menu.tree",
  method: "GET",
  path: "/customer/menu/tree",
  input: z.object({}),
  output: z.array(menuNode),
  may: everySession("the caller's own menu"),
});

export const logout = endpoint({
  id: "auth.logout",
  method: "POST",
  path: "/customer/user/logout",
  input: z.object({}),
  output: nothing,
  may: everySession("it ends the caller's own login"),
});

const isFilled = (form: unknown, name: string): boolean =>
  typeof form === "object" && form !== null && Boolean((form as Record<string, unknown>)[name]);

const passwordFormWith = (newPsw: z.ZodType<string, string>) =>
  z
    .object({
      userId: codec.id,
      oldPsw: text.oldPassword,
      newPsw,
      rePsw: z.string().min(1).max(128),
      /** False: the API keys that the user made stay. Other sessions end in any case. */
      revokeKeys: codec.flag.default(true),
    })
    .refine((form) => form.newPsw === form.rePsw, {
      ...failsWith("same", {}, ["rePsw"]),
      // Also while another field is wrong: people fill a form from any end.
      when: ({ value }) => isFilled(value, "newPsw") && isFilled(value, "rePsw"),
    });

/** Section 5: all three required, the two new ones equal, the new one of 5 to 12 characters. */
export const passwordForm = passwordFormWith(text.password);

/**
 * The form of one's own password under a policy: the API checks the same, and the name and phone
 * number of the person besides.
 */
export const passwordFormOf = (policy: PasswordPolicy, own: readonly string[]) =>
  passwordFormWith(
    z
      .string()
      .refine(
        (value) => isPasswordOf(value, passwordLengths[policy]),
        failsWith("password", passwordLengths[policy]),
      )
      .refine(
        (value) => passwordIssue(policy, value, own)?.rule !== "weakPassword",
        failsWith("weakPassword"),
      ),
  );

export const editPassword = endpoint({
  id: "auth.editPassword",
  method: "POST",
  path: "/customer/user/editpassword",
  input: passwordFormWith(text.newPassword),
  output: nothing,
  may: ownAccount,
});
