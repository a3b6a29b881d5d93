/**
 * How much of one thing a desired state holds at most: the schemas of its sections refuse more, and
 * so does whatever would write the row too many (the database for those it counts itself,
 * `weft.require_state_room`). `section-limits.ts` says for each list of a section which one holds it.
 */
export const stateLimits = {
  /** Rules of a node: its ACL, and a blocked address twice, once to it and once from it. */
  aclRules: 10_000,
  /** Mobile accounts with a key that enter one space at a POP. */
  clientPeers: 10_000,
  staticRoutes: 4_096,
  /** LAN sections of a device. */
  lanSegments: 256,
  /** Interfaces of a device with LAN sections; a VLAN is one of its own. */
  lanInterfaces: 64,
  /** Addresses of a device on one of them. */
  lanAddresses: 16,
  /** Networks that one node brings into its space. */
  announced: 4_096,
  /** Networks that the sites of a space bring into it: at a POP each is listed once for every link of its site. */
  spaceNetworks: 30_000,
  /** Networks of a LAN section and behind it. */
  lanNetworks: 4_200,
  /** Networks of notices that LANs may send from, counted once for each segment. */
  lanNotices: 16_384,
  /** Address sets of a node's policies, and addresses, ranges or prefixes of one. */
  addressSets: 1_024,
  setMembers: 20_000,
  /** Connection-number controls of a node. */
  connectionLimits: 1_024,
  /** Port mappings of a node, and ports that one of them moves to other numbers. */
  portMappings: 1_024,
  movedPorts: 256,
} as const;
export type StateLimit = keyof typeof stateLimits;
