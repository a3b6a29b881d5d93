/**
 * How much of one thing a desired state holds at most: the schemas of its sections refuse more, and
 * so does the call that would write the row too many.
 */
export const stateLimits = {
  /** Rules of a node: its ACL, and a blocked address twice, once to it and once from it. */
  aclRules: 10_000,
  /** Mobile accounts with a key that enter one space at a POP. */
  clientPeers: 10_000,
  staticRoutes: 4_096,
} as const;
