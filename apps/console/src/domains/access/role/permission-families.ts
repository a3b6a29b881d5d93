import type { Grant } from "@weft/contract/access.ts";
import { grantCodes, grantedMenus } from "@weft/contract/grants.ts";
import type { MenuNode } from "@weft/contract/kernel/menu.ts";
import { type MenuPath, menu } from "@weft/contract/menu.ts";
import {
  holds,
  idlePermissions,
  type Permission,
  type Principal,
  permissionCodes,
} from "@weft/contract/permissions.ts";

/** The families of section 6, in its order. Codes are a family's prefix and an action. */
const prefixes = {
  cpe: ["cpe"],
  pop: ["pop"],
  client: ["client"],
  configTab: ["config"],
  messageReceive: ["messageReceive", "alarmStrategy"],
  account: ["account"],
  lansection: ["lansection"],
  cpeArea: ["cpeArea"],
  top: ["top"],
  screen: ["screen"],
  routerTemplate: ["routerTemplate"],
  netSpace: ["netSpace"],
  enterprise: ["enterprise"],
  ipGroup: ["ipGroup"],
  strategy: ["strategy"],
  circuit: ["circuit"],
  vbrNode: ["vbrNode"],
  vbrTable: ["vbrTable"],
  popStrategy: ["popStrategy"],
  sysUser: ["sysUser"],
  installation: ["installation"],
} as const;

/** Of permission codes, or a branch of the menu, by its path. */
export type Family = keyof typeof prefixes | MenuPath;
const families = Object.keys(prefixes) as (keyof typeof prefixes)[];

/** The branch of the menu that an entry is in: the one whose tree has it. */
const branchOf = (path: string): MenuPath => {
  const has = (nodes: readonly MenuNode[]): boolean =>
    nodes.some((node) => node.path === path || has(node.children ?? []));
  const branch = menu.find((node) => has([node]));
  if (!branch) throw new Error(`${path} is no entry of the menu`);
  return branch.path;
};

/** The family of a code: the one with the longest prefix that ends before a capital letter. */
export function familyOf(code: Permission): keyof typeof prefixes {
  const fits = (prefix: string): boolean =>
    code.startsWith(prefix) && /^[A-Z]/.test(code.slice(prefix.length));
  const longest = families
    .flatMap((family) => prefixes[family].filter(fits).map((prefix) => ({ family, prefix })))
    .sort((a, b) => b.prefix.length - a.prefix.length)[0];
  if (!longest) throw new Error(`${code} belongs to no family`);
  return longest.family;
}

/** Codes that this person can grant: those that the person holds, and that something asks for. */
export const grantable = (person: Principal): Grant[] =>
  grantCodes.filter((code) => !(code in idlePermissions) && holds(person, code));

export interface FamilyCodes {
  readonly family: Family;
  readonly codes: readonly Grant[];
}

/**
 * The given codes by family, entries of the menu first by branch, all in the contract's order; families
 * without any are left out.
 */
export function byFamily(codes: readonly string[]): FamilyCodes[] {
  const wanted = new Set(codes);
  const entries = Map.groupBy<Family, Grant>(grantedMenus, branchOf);
  const groups = new Map<Family, Grant[]>(families.map((family) => [family, []]));
  for (const code of permissionCodes) groups.get(familyOf(code))?.push(code);
  return [...entries, ...groups]
    .map(([family, grants]) => [family, grants.filter((code) => wanted.has(code))] as const)
    .filter(([, grants]) => grants.length > 0)
    .map(([family, grants]) => ({ family, codes: grants }));
}
