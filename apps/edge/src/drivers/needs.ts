/**
 * What forwarding itself needs of the machine, and what of it this one cannot do. Pure: a document
 * that needs more is refused before anything is touched, with a message that names the part and the reason.
 * All else that a machine cannot do is left out of the document (supported-state.ts).
 */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import type { Capability } from "./driver.ts";

interface Need {
  /** What of the state needs it. */
  readonly what: string;
  /** Any one of these capabilities will do. */
  readonly anyOf: readonly string[];
}

const linksOf = (state: DesiredState): number =>
  state.tunnels.reduce((sum, { links }) => sum + links.length, 0);

/** In the order in which the drivers run. */
export const needsOf = (state: DesiredState): Need[] => {
  const links = linksOf(state);
  const clients = state.clients?.length ?? 0;
  return [
    { what: "the firewall", anyOf: ["nftables"] },
    ...(links > 0
      ? [
          {
            what: links === 1 ? "the link" : `${links} links`,
            anyOf: ["wireguard.kernel", "wireguard.user"],
          },
        ]
      : []),
    ...(clients > 0
      ? [{ what: "mobile accounts", anyOf: ["wireguard.kernel", "wireguard.user"] }]
      : []),
    ...(state.routings.length > 0 ? [{ what: "routing", anyOf: ["frr"] }] : []),
  ];
};

/**
 * One line for each need that the machine cannot meet; empty when it can do all. What was not checked
 * (a simulated device checks little) is no reason to refuse.
 */
export const lacking = (state: DesiredState, capabilities: readonly Capability[]): string[] =>
  needsOf(state).flatMap(({ what, anyOf }) => {
    const findings = capabilities.filter(({ name }) => anyOf.includes(name));
    if (findings.length === 0 || findings.some(({ can }) => can)) return [];
    const reasons = findings.map(({ name, reason }) => `${name}: ${reason ?? "no reason given"}`);
    return [`${what} needs ${anyOf.join(" or ")} (${reasons.join("; ")})`];
  });
