/** What becomes of policy objects, as a state and a sentence. */
import {
  type aclSummary,
  isInherent,
  isUnsupported,
  nodeSummary,
  type PolicySummary,
  templateSummary,
} from "@weft/contract/domains/policies/policy-finding.ts";
import { policyReasonText } from "@weft/contract/domains/policies/policy-finding-text.ts";
import type { PolicyFamily } from "@weft/contract/kernel/policy-family.ts";
import { type Translate, useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { type Column, stateColumn } from "#kernel/list/columns.tsx";
import type { StateLabel } from "#ui/glyph.tsx";
import { type PolicyOwner, scopeOfOwner } from "./choices.ts";
import { policyMessages } from "./messages.ts";

type Row = Readonly<Record<string, unknown>> & { readonly id: number };
type Texts = Translate<keyof typeof policyMessages>;

/** A compile and a delivery take a second or two; asked again while something is under way. */
const underwayMs = 3_000;

/** One reason for all: it needs no numbers, and is what to look into. */
const isSameEverywhere = ({ nodes, reasons }: PolicySummary): boolean =>
  reasons.length === 1 && reasons[0]?.nodes === nodes;

/** Why, the most frequent reason first. */
const reasonsText = (summary: PolicySummary, t: Texts): string =>
  t.list(
    summary.reasons.map((reason) => {
      const text = policyReasonText(reason, t.language);
      return !isSameEverywhere(summary)
        ? t("policy.effect.reasonOn", { reason: text, nodes: reason.nodes })
        : text;
    }),
  );

/** Nodes whose reason is one of these. */
const nodesOf = ({ reasons }: PolicySummary, isMeant: (reason: string) => boolean): number =>
  reasons.filter(({ reason }) => isMeant(reason)).reduce((sum, { nodes }) => sum + nodes, 0);

/** It does not act on some nodes, and on all of those only because the product or the device does not support it. */
const isProductFact = (summary: PolicySummary): boolean =>
  nodesOf(summary, isUnsupported) === summary.cannot;

/** It acts on every node, on some of them with the limits that every object of its kind has. */
const isAsGoodAsCan = (summary: PolicySummary): boolean =>
  summary.acts + summary.fallback === summary.nodes &&
  nodesOf(summary, isInherent) === summary.fallback;

/** One node, or one of many: what is shown of an object. */
export function effectOf(summary: PolicySummary, t: Texts): StateLabel {
  const { nodes, acts, fallback, cannot, replaced, underway } = summary;
  if (nodes === 0) return { glyph: "off", label: t("policy.effect.none") };
  const why = reasonsText(summary, t);
  const count = acts + fallback;
  const label = (key: "acts" | "fallback" | "cannot" | "unsupported" | "replaced" | "underway") =>
    nodes === 1 ? t(`policy.effect.${key}`) : t("policy.effect.actsOn", { acts: count, nodes });
  // There is room for one reason; several are on hover, with how many nodes each is about.
  const labelled = (glyph: StateLabel["glyph"], text: string): StateLabel => {
    if (why === "") return { glyph, label: text };
    const because = t("policy.effect.because", { effect: text, why });
    return { glyph, label: isSameEverywhere(summary) ? because : text, hint: because };
  };
  // Known before it was saved, and nothing that anyone at the node could mend.
  if (cannot > 0 && isProductFact(summary)) return labelled("unsupported", label("unsupported"));
  if (cannot > 0) return labelled(count + underway === 0 ? "bad" : "warn", label("cannot"));
  if (fallback > 0 && isAsGoodAsCan(summary)) {
    const text = t("policy.effect.limited", { effect: label("acts") });
    return { glyph: "ok", label: text, hint: t("policy.effect.because", { effect: text, why }) };
  }
  // The number alone would read as that of an object that acts everywhere in full.
  const inPart = { acts: count, nodes, part: fallback };
  if (fallback > 0)
    return labelled("warn", nodes === 1 ? label("fallback") : t("policy.effect.partOn", inPart));
  if (underway > 0) return labelled("run", label("underway"));
  return replaced === nodes ? labelled("off", label("replaced")) : labelled("ok", label("acts"));
}

const useSummaries = (
  family: PolicyFamily,
  owner: PolicyOwner,
  ids: readonly number[],
): ReadonlyMap<number, PolicySummary> => {
  const input = { family: family.name, ids: [...ids] };
  const isTemplate = scopeOfOwner(owner) === "template";
  const options = { every: underwayMs, keep: true };
  const none = ids.length === 0;
  const ofTemplate = useCall(
    templateSummary,
    none || !isTemplate ? null : ({ ...owner, ...input } as never),
    options,
  );
  const ofNode = useCall(
    nodeSummary,
    none || isTemplate ? null : ({ cpeId: null, popId: null, ...owner, ...input } as never),
    options,
  );
  const rows = (isTemplate ? ofTemplate : ofNode).data ?? [];
  return new Map(rows.map((row) => [row.id, row]));
};

/** The column that says of each object whether it acts. */
export function useEffectColumn(
  family: PolicyFamily,
  owner: PolicyOwner,
  rows: readonly Row[],
): Column<Row> {
  const t = useTexts(policyMessages);
  const summaries = useSummaries(
    family,
    owner,
    rows.map(({ id }) => id),
  );
  const isOff = (row: Row) => row.enable === false;
  const column = effectColumn(t, summaries, ({ id }: Row) => id, isOff);
  return { ...column, width: scopeOfOwner(owner) === "template" ? 168 : 224 };
}

const effectColumn = <Row>(
  t: Texts,
  summaries: ReadonlyMap<number, PolicySummary>,
  idOf: (row: Row) => number,
  isOff: (row: Row) => boolean,
): Column<Row> =>
  stateColumn("effect", t("policy.effect"), (row: Row) => {
    const summary = summaries.get(idOf(row));
    if (!summary) return { glyph: "unknown", label: t("policy.effect.unknown") };
    if (isOff(row)) return { glyph: "disabled", label: t.code("enable", false) };
    return effectOf(summary, t);
  });

interface Rules<Row> {
  readonly summary: typeof aclSummary;
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => number;
  readonly isOff: (row: Row) => boolean;
}

/** The same of rules that are no family of policy objects. */
export function useRuleEffectColumn<Row>({ summary, rows, idOf, isOff }: Rules<Row>): Column<Row> {
  const t = useTexts(policyMessages);
  const ids = rows.map(idOf);
  const { data = [] } = useCall(summary, ids.length === 0 ? null : { ids }, {
    every: underwayMs,
    keep: true,
  });
  const summaries = new Map(data.map((summary) => [summary.id, summary]));
  return { ...effectColumn(t, summaries, idOf, isOff), width: 224 };
}
