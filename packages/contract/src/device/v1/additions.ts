/**
 * Messages from edges, and fields of them, that came after the protocol's first version. Its schemas are strict: a
 * controller that does not know one refuses it, and ends the connection. So an edge asks, and sends what
 * the controller of this connection says that it reads.
 *
 * States have no such list: what came later (`space.<space>`, `firewall.lan[].networks`) denies, and a
 * device without it would let out what its space keeps. docs/protocol.md, additions.
 */

/** An edge with this capability is sent, after each report, the names of those that the controller reads. */
export const acceptsCapability = "controller.accepts";
export const messageAdditions = {
  /** `findings` of an outcome. */
  findings: "outcome.findings",
  /** The message itself. */
  repairs: "repairs",
} as const;
export type MessageAddition = (typeof messageAdditions)[keyof typeof messageAdditions];

interface Capability {
  readonly name: string;
  readonly can: boolean;
}
export const asksForAdditions = (reported: readonly Capability[]): boolean =>
  reported.some(({ name, can }) => can && name === acceptsCapability);
/** What a controller of this version reads. */
export const acceptsAll = {
  type: "accepts" as const,
  names: Object.values<string>(messageAdditions),
};
