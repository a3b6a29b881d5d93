import type { PolicyEffect, PolicyReason } from "@weft/contract/domains/policies/policy-finding.ts";

/** What of a node decides, beside its objects. */
export interface PolicyGround {
  /** As the device reported them; null: no device did yet, and what it can will be seen then. */
  readonly capabilities: readonly { readonly name: string; readonly can: boolean }[] | null;
  /** Slots of its WAN lines. */
  readonly slots: ReadonlySet<number>;
  /** Its LANs with hosts. */
  readonly lans: readonly {
    readonly network: string;
    readonly network6: string | null;
  }[];
  /** UDP ports of its own tunnels. */
  readonly tunnelPorts: ReadonlySet<number>;
  /** Serial of the past configuration that it is held at; null: it follows its rows. */
  readonly heldAt: number | null;
}

/** What becomes of an object that does not act as it was asked for, and why. */
export interface Verdict {
  readonly effect: PolicyEffect;
  readonly reason: PolicyReason;
  readonly params: Readonly<Record<string, string>>;
}

export const cannot = (reason: PolicyReason, params: Verdict["params"] = {}): Verdict => ({
  ...{ effect: "cannot", reason, params },
});
