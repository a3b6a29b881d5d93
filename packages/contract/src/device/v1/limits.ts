/**
 * How much of one thing a desired state holds at most: the schemas of its sections refuse more, and
 * so does whatever would write the row too many (the database for those it counts itself,
 * `weft.require_state_room`). The declarations of sections (`section.ts`) say for each list which one holds it.
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
  /** Network cards of a device. */
  cards: 64,
  /** Interfaces of VLANs of a device: of its four WAN links and its LAN sections. */
  vlanInterfaces: 68,
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
  /** Of all sets of a node together: one section carries them (8 MB). */
  allMembers: 80_000,
  /** Connection-number controls of a node. */
  connectionLimits: 1_024,
  /** Port mappings of a node, and ports that one of them moves to other numbers. */
  portMappings: 1_024,
  movedPorts: 256,
  /** Policy routes of a node. */
  policyRoutes: 1_024,
  /** Paths that policy routes of a node take beside that of its WAN links: one for each next hop, each new destination and each TTL increment. */
  policyPaths: 15,
  /** Bandwidth tunnels of a node: as many as the mark of a flow has values for. */
  bandwidthTunnels: 254,
  /** Bandwidth policies of a node. */
  bandwidthPolicies: 1_024,
  /** Application groups that rules of a node name, and services of one. */
  applicationGroups: 256,
  appServices: 1_024,
  /**
   * Rules of the firewall that a device makes at most of all rules together that name application groups
   * (`app-rules.ts`). nft loads 16,600 of them in 3.3 s; twice as many take 28 s (two busy cores).
   */
  appRules: 16_384,
  /** Time groups that rules of a node name. */
  timeGroups: 1_024,
  /** Names that a site's resolver answers itself, and those that it asks a server of their own about. */
  dnsNames: 20_000,
  /** Addresses that a site's DHCP server keeps for hosts. */
  dhcpReservations: 4_096,
  /** DNS controls of a node; their names together are at most `dnsNames`. */
  dnsControls: 256,
  /** Rules of a node that deny names; their names together are at most `dnsNames`. */
  nameRules: 256,
  /**
   * Classes of hosts of a node, by IP groups, for which different ones of these rules are tried: each has a resolver of its
   * own (dnsmasq, 2 MB and more), and so have all other hosts together.
   */
  nameFilters: 16,
  /** BGP neighbours of a site, and networks that one of them is sent beside those of the space. */
  siteNeighbors: 64,
  siteNetworks: 128,
  /** Circuits that end at a node. */
  circuits: 500,
  /** Classes of circuits of a node: one for each, and one more for each bandwidth tunnel in each (HTB: 10,000 take 10 s to load). */
  circuitClasses: 1_000,
  /** Closed user groups of a site. */
  userGroups: 64,
  /** LANs of a site with OSPF. */
  siteInterfaces: 64,
  /** Segment routes of a node in one space: each packet there passes a rule of each of them, 12 ns. */
  segmentRoutes: 64,
  /** Links between two hops of one, or to its CPE. */
  segmentLinks: 16,
  /** Networks of the CPE that one begins at: a rule for each of them and each link. */
  segmentSources: 16,
  /** Networks within its destination that a device does not send that way. */
  segmentKept: 1_024,
  /** Addresses by which the last POP sees whether it can reach the destination. */
  segmentReach: 8,
  /** Groups of destinations that a site leads to exits, and exits that they name: as many as the mark of a flow has values for. */
  acceleratedGroups: 256,
  exits: 11,
  /** Marks of a POP: its own and that of any POP, of each family. */
  exitMarks: 4,
} as const;
export type StateLimit = keyof typeof stateLimits;
