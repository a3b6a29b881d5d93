import type { Grant as Code } from "@weft/contract/access.ts";
import { dataScope } from "@weft/contract/domains/access/enums.ts";
import { grantCodes } from "@weft/contract/grants.ts";

/** Holds every permission and the whole tree, and no one else writes this account (section 6). */
export const firstUser = 1;

/** How far a user sees. */
export interface Reach {
  readonly wholeTree: boolean;
  /** Only rows of the person's own making. */
  readonly ownOnly: boolean;
  readonly enterprises: ReadonlySet<number>;
  /** Enterprises of which all subordinates are within reach too, those to come included. */
  readonly subtrees: ReadonlySet<number>;
}

/** What a user holds, hence may at most grant. */
export interface HeldPermissions {
  /** User id 1: no limit applies. */
  readonly unlimited: boolean;
  readonly roleType: number;
  /** Permission codes, and entries of the menu by their path. */
  readonly authorities: ReadonlySet<string>;
  readonly reach: Reach;
  /** Ids of the person's own roles. */
  readonly roles: ReadonlySet<number>;
}

/** What a role gives to a user of its enterprise. */
export interface Grant {
  readonly enterpriseId: number;
  readonly roleType: number;
  readonly dataScope: number;
  readonly authorities: readonly string[];
  /** A selected enterprise (scope 4) is out of the caller's reach. */
  readonly beyond: boolean;
}

/** What of a grant exceeds a user's permissions: a permission or an entry of the menu, or a field. */
export type Excess =
  | { readonly permission: Code }
  | { readonly field: "roleType" | "dataScope" | "groupids" };

/** A user can grant only what the user holds: the first thing that exceeds the permissions, or null. */
export function excessOf(grant: Grant, permissions: HeldPermissions): Excess | null {
  if (permissions.unlimited) return null;
  if (grant.roleType < permissions.roleType) return { field: "roleType" };
  if (!scopeFits(grant, permissions.reach)) {
    return { field: grant.dataScope === dataScope.custom ? "groupids" : "dataScope" };
  }
  const missing = grantCodes.find(
    (code) => grant.authorities.includes(code) && !permissions.authorities.has(code),
  );
  return missing === undefined ? null : { permission: missing };
}

function scopeFits({ enterpriseId, dataScope: scope, beyond }: Grant, reach: Reach): boolean {
  if (reach.wholeTree) return true;
  if (!reach.enterprises.has(enterpriseId)) return false;
  if (scope === dataScope.ownData) return true;
  if (reach.ownOnly) return false;
  if (scope === dataScope.ownAndSubordinate) return reach.subtrees.has(enterpriseId);
  return scope === dataScope.ownEnterprise || !beyond;
}
