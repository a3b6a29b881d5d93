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

export type Family = keyof typeof prefixes;
const families = Object.keys(prefixes) as Family[];

/** The family of a code: the one with the longest prefix that ends before a capital letter. */
export function familyOf(code: Permission): Family {
  const fits = (prefix: string): boolean =>
    code.startsWith(prefix) && /^[A-Z]/.test(code.slice(prefix.length));
  const found = families
    .flatMap((family) => prefixes[family].filter(fits).map((prefix) => ({ family, prefix })))
    .sort((one, other) => other.prefix.length - one.prefix.length)[0];
  if (!found) throw new Error(`${code} belongs to no family`);
  return found.family;
}

/** Codes that this person can grant: those that the person holds, and that something asks for. */
export const grantable = (person: Principal): Permission[] =>
  permissionCodes.filter((code) => !(code in idlePermissions) && holds(person, code));

export interface FamilyCodes {
  readonly family: Family;
  readonly codes: readonly Permission[];
}

/** The given codes by family, both in the contract's order; families without any are left out. */
export function byFamily(codes: readonly string[]): FamilyCodes[] {
  const wanted = new Set(codes);
  const groups = new Map<Family, Permission[]>(families.map((family) => [family, []]));
  for (const code of permissionCodes) {
    if (wanted.has(code)) groups.get(familyOf(code))?.push(code);
  }
  return [...groups]
    .filter(([, own]) => own.length > 0)
    .map(([family, own]) => ({ family, codes: own }));
}
