import type { CallerScope, SessionUser } from "#kernel/api.ts";

type Held = Pick<SessionUser, "userId" | "authorities" | "scope" | "roleType">;

/**
 * A key with no more than its maker holds now: what the maker has lost since, the
 * key loses immediately.
 */
export const meet = (maker: Held, key: SessionUser): SessionUser => ({
  ...key,
  roleType: Math.max(maker.roleType, key.roleType),
  authorities: key.authorities.filter((code) => maker.authorities.includes(code)),
  scope: meetScopes(maker.scope, key.scope),
});

/** What lies in both scopes; rows "of one's own making" are those of the second. */
function meetScopes(one: CallerScope, own: CallerScope): CallerScope {
  if (one.kind === "all") return own;
  if (own.kind === "all") return { ...one, userId: own.userId ?? null };
  const ids = own.ids.filter((id) => one.ids.includes(id));
  return { ...own, ids, ownOnly: one.ownOnly || own.ownOnly };
}
