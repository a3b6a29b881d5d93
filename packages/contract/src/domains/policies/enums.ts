/** Codes of router policy objects. Texts: `enum.<name>.<code>` in messages/policy.ts. */

export const lineKinds = ["lan", "wan"] as const;
/** How a line of a template gets its address: 0 DHCP, 1 static, 2 PPPoE. */
export const accessTypes = [0, 1, 2] as const;
export const accessType = { dhcp: 0, fixed: 1, pppoe: 2 } as const;
/** Section 4 names the masks, not their values; one bit for each of the up to 4 lines. */
export const lineGroupBits = [1, 2, 4, 8] as const;
export const natTypeBits = [1, 2, 4, 8] as const;
/** Cone and symmetric are kinds of source NAT, also without its own bit. */
export const natBits = { source: 1, destination: 2, cone: 4, symmetric: 8 } as const;
export const ospfFlagBits = [1, 2, 4, 8] as const;
export const ospfFlag = { connected: 1, static: 2, bgp: 4, default: 8 } as const;
export const pipeDirections = [0, 1, 2] as const;
export const pipeDirection = { both: 0, up: 1, down: 2 } as const;
/** 0 deny, 1 allow, 2 redirect. */
export const urlActions = [0, 1, 2] as const;
export const urlAction = { deny: 0, allow: 1, redirect: 2 } as const;
/** Of DNS control: whether the answer's addresses are routed over the same line, and back. */
export const dnsSwitches = [0, 1] as const;
export const transports = ["tcp", "udp", "any"] as const;
export const mappedProtocols = ["tcp", "udp", "both"] as const;
export const ruleKinds = ["node", "domain"] as const;
