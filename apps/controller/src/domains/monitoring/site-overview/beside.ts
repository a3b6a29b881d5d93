/** Whether others have the same trouble: links of the same carrier, to the same POP, and over the node's other lines. */
import type { NodeKind } from "@weft/contract/domains/devices/enums.ts";
import type { Beside } from "@weft/contract/domains/monitoring/site-overview.ts";
import { countLinks, type LinkGroup } from "#domains/overlay/link/public.ts";
import type { Context } from "#kernel/api.ts";
import type { OwnLink } from "./store.ts";

interface Compared {
  readonly what: Pick<Beside, "kind" | "isp" | "pop">;
  readonly group: LinkGroup;
}

/** What the worst link of a node is compared with. Pure. */
function comparedWith(
  node: { readonly id: number; readonly kind: NodeKind },
  worst: OwnLink,
): Compared[] {
  const { isp, peer, slot } = worst;
  const besideId = node.id;
  return [
    ...(isp === ""
      ? []
      : [{ what: { kind: "carrier", isp, pop: null }, group: { isp, besideId } } as const]),
    ...(node.kind === "cpe" && peer.kind === "pop"
      ? [
          {
            what: { kind: "pop", isp: null, pop: { id: peer.id, name: peer.name } },
            group: { nodeId: peer.id, besideId },
          } as const,
        ]
      : []),
    {
      what: { kind: "line", isp: null, pop: null },
      group: { nodeId: node.id, except: { nodeId: node.id, slot } },
    },
  ];
}

/** Counts of them in one statement. Another line that carries no links says nothing, and is left out. */
export async function listBeside(
  ctx: Context,
  node: { readonly id: number; readonly kind: NodeKind },
  worst: OwnLink | undefined,
): Promise<Beside[]> {
  if (!worst) return [];
  const compared = comparedWith(node, worst);
  const counts = await countLinks(
    ctx,
    compared.map(({ group }) => group),
  );
  return compared.flatMap(({ what }, at) => {
    const { links = 0, bad = 0 } = counts[at] ?? {};
    return what.kind === "line" && links === 0 ? [] : [{ ...what, links, bad }];
  });
}
