import type { NodeKind } from "@weft/contract/domains/devices/enums.ts";
import {
  type Beside,
  type Quality,
  type SiteOverview,
  siteOverview,
} from "@weft/contract/domains/monitoring/site-overview.ts";
import type { FastifyInstance } from "fastify";
import { readNodeState } from "#domains/delivery/tasks/public.ts";
import { findNode, readableNodes } from "#domains/devices/node/public.ts";
import { ownersOf } from "#domains/monitoring/node-log/public.ts";
import { countLinks, type LinkGroup } from "#domains/overlay/link/public.ts";
import type { Context } from "#kernel/api.ts";
import { mountWithMetrics } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import { metricsOrNull, rangeOf } from "#metrics-store/queries.ts";
import type { Range, ReadableNode } from "#metrics-store/steps.ts";
import type { Bucket, MeasureStore } from "#metrics-store/store.ts";
import { listMarks } from "./marks.ts";
import { listLines, listOwnLinks, listTransitions, type OwnLink } from "./store.ts";
import { type Span, stretchesOf, type Transition } from "./stretches.ts";

/** Whether others have the same trouble: links of the same carrier, to the same POP, and over the node's other lines. */
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
async function listBeside(
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

/** How far back a record of flows counts for there being any. */
const flowsMs = 7 * 86_400_000;
/** Width of the steps in seconds while the store of metrics says none. */
const defaultStep = 300;

const round = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 10) / 10;

const qualityOf = (buckets: readonly Bucket[]): Quality => {
  const of = (column: "loss_percent" | "rtt_ms" | "jitter_ms") =>
    buckets.map(({ values }) => round(values?.[column] ?? null));
  return { loss: of("loss_percent"), delay: of("rtt_ms"), jitter: of("jitter_ms") };
};

interface Measured {
  readonly from: Date;
  readonly step: number;
  readonly qualities: ReadonlyMap<number, Quality>;
}

/** Quality of the links over the range, all in one question. */
async function readQuality(
  measures: MeasureStore,
  links: readonly OwnLink[],
  probers: readonly ReadableNode[],
  range: Range,
): Promise<Measured> {
  const ids = links.map(({ id }) => String(id));
  const { stepSeconds, items } = await measures.readItems("link", probers, ids, range);
  const [first] = [...items.values()][0] ?? [];
  const qualities = [...items].map(([id, buckets]) => [Number(id), qualityOf(buckets)] as const);
  return {
    from: new Date(first?.at ?? range.from),
    step: stepSeconds,
    qualities: new Map(qualities),
  };
}

function hasFlows(measures: MeasureStore, ctx: Context, nodeId: number): Promise<boolean> {
  const to = Date.now();
  const range = { from: to - flowsMs, to };
  return measures.flows.has({ nodeId, enterpriseIds: ownersOf(ctx), range });
}

/** GET /customer/siteReport/overview: the page of one site or POP. */
export function siteOverviewRoutes(app: FastifyInstance): void {
  mountWithMetrics(app, siteOverview, async ({ id, ...query }, ctx): Promise<SiteOverview> => {
    const [node, state] = await Promise.all([findNode(ctx, id), readNodeState(ctx, id)]);
    if (!node || !state) return refuse("notFound");
    const [lines, { links, count }] = await Promise.all([
      listLines(ctx, id),
      listOwnLinks(ctx, id),
    ]);
    // What is still to come is no part of the span: nothing is known of it, and nothing is missing.
    const span: Span = {
      from: query.startTime,
      to: new Date(Math.min(query.endTime.getTime(), Date.now())),
    };
    const probers = await readableNodes(ctx, [...new Set(links.map(({ probedBy }) => probedBy))]);
    const [transitions, marks, beside, measured, flows] = await Promise.all([
      listTransitions(ctx, id, { lines, links }, span),
      listMarks(ctx, id, span),
      listBeside(ctx, node, links[0]),
      metricsOrNull(ctx, (measures) => readQuality(measures, links, probers, rangeOf(query))),
      metricsOrNull(ctx, (measures) => hasFlows(measures, ctx, id)),
    ]);
    const contactOf = (nodeId: number): readonly Transition[] =>
      transitions.contact.get(nodeId) ?? [];
    return {
      node,
      state,
      marks,
      beside,
      linkCount: count,
      hasFlows: flows,
      from: measured?.from ?? query.startTime,
      step: measured?.step ?? defaultStep,
      contact: stretchesOf(contactOf(id), null, span),
      lines: lines.map((line) => ({
        ...line,
        stretches: stretchesOf(
          transitions.lines.get(line.interfaceName) ?? [],
          contactOf(id),
          span,
        ),
      })),
      links: links.map(({ probedBy, isp: _, ...link }) => ({
        ...link,
        stretches: stretchesOf(transitions.links.get(link.id) ?? [], contactOf(probedBy), span),
        quality: measured?.qualities.get(link.id) ?? null,
      })),
    };
  });
}
