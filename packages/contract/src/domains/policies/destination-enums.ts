/** What traffic is matched by: host names, recognised protocols, addresses, applications. */
export const destinationKinds = ["domain", "dpi", "ip", "app"] as const;
export type DestinationKind = (typeof destinationKinds)[number];

/** What a profile is for: 0 anything, 1 office applications, 2 games. */
export const speedTypes = [0, 1, 2] as const;
