import type { NodeKind } from "@weft/contract/enums/node.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { cpeFindById } from "@weft/contract/resources/cpe.ts";
import type { popFindById } from "@weft/contract/resources/pop.ts";
import type { ListedNode } from "./node-columns.tsx";

/** One node whatever its kind: what the head of its pages needs. */
export interface NodeCard extends ListedNode {
  readonly id: number;
  readonly kind: NodeKind;
  /** `alias` of a CPE, `name` of a POP. */
  readonly name: string;
  readonly sn: string;
  readonly enterpriseName: string;
}

export const cardOfCpe = (row: OutputOf<typeof cpeFindById>): NodeCard => ({
  ...row,
  kind: "cpe",
  name: row.alias,
});

export const cardOfPop = (row: OutputOf<typeof popFindById>): NodeCard => ({ ...row, kind: "pop" });
