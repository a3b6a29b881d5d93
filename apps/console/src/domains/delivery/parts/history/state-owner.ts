import type { NodeKind } from "@weft/contract/domains/devices/enums.ts";

/** The node that has states and tasks. */
export interface StateOwner {
  readonly id: number;
  readonly kind: NodeKind;
  readonly name: string;
}

/** A serial as text: "#42"; the em dash when there is none. */
export const serialText = (serial: number | null): string => (serial === null ? "—" : `#${serial}`);
