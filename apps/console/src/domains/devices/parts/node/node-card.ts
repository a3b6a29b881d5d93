import type { cpeFindById } from "@weft/contract/domains/devices/cpe.ts";
import type { NodeKind } from "@weft/contract/domains/devices/enums.ts";
import type { popFindById } from "@weft/contract/domains/devices/pop.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { ListedNode } from "./node-columns.tsx";

/** One node whatever its kind: what the head of its pages needs. */
export interface NodeCard extends ListedNode {
  readonly id: number;
  readonly kind: NodeKind;
  /** `alias` of a CPE, `name` of a POP. */
  readonly name: string;
  readonly sn: string;
  readonly groupid: number;
  readonly enterpriseName: string;
}

export const cardOfCpe = (row: OutputOf<typeof cpeFindById>): NodeCard => ({
  ...row,
  kind: "cpe",
  name: row.alias,
});

export const cardOfPop = (row: OutputOf<typeof popFindById>): NodeCard => ({ ...row, kind: "pop" });
