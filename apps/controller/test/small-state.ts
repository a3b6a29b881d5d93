import type { DesiredState } from "@weft/contract/device/v1/state.ts";

/** A whole document that hardly says anything; another hostname makes another state. */
export const smallState = (node: number, hostname: string): DesiredState => ({
  node: { nodeId: node, kind: "cpe", hostname, routerId: "10.255.0.7" },
  underlay: { lines: [], lans: [] },
  static: { routes: [] },
  firewall: { wan: [], tunnelPorts: [] },
  tunnels: [],
  routings: [],
});
