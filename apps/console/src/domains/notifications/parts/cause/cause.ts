/** What a root cause says, how far it reaches, and where its evidence is. */
import { healthStates } from "@weft/contract/domains/devices/health.ts";
import type { RootCause } from "@weft/contract/domains/notifications/root-cause.ts";
import { paths, withSearch } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import { healthSentence } from "#domains/devices/parts/node/health.ts";
import { type NodeTexts, useNodeTexts } from "#domains/devices/parts/node/node-texts.ts";
import { causeMessages } from "./messages.ts";

const useOwnTexts = () => useTexts(causeMessages);

/** Texts of causes, and those of nodes. */
export interface CauseTexts {
  readonly t: ReturnType<typeof useOwnTexts>;
  readonly ofNodes: NodeTexts;
}

export const useCauseTexts = (): CauseTexts => ({ t: useOwnTexts(), ofNodes: useNodeTexts() });

const stateLabel = ({ state }: RootCause, { ofNodes }: CauseTexts): string =>
  ofNodes(`node.health.${state ?? "none"}`);

/** The sentence of one node: its state, and why it is so. */
function nodeSentence(cause: RootCause, texts: CauseTexts): string {
  const { detail, state, named, since } = cause;
  const name = named[0]?.name ?? "";
  const label = stateLabel(cause, texts);
  const health = { health: state, healthDetail: detail, healthSince: since, lastOnline: null };
  const because = healthSentence(health, texts.ofNodes);
  return because === null
    ? texts.t("cause.node", { name, state: label })
    : texts.t("cause.nodeBecause", { name, state: label, because });
}

/** The cause in one sentence that names the object. */
export function causeSentence(cause: RootCause, texts: CauseTexts): string {
  const { kind, tone, popId, popName: pop, isp, sites: count, named } = cause;
  const { t } = texts;
  const state = stateLabel(cause, texts);
  switch (kind) {
    case "contact":
      return t("cause.contact", { count });
    case "pop":
      return cause.state === null
        ? t(`cause.pop.${tone}`, { pop })
        : t("cause.popState", { pop, state });
    case "carrier":
      return popId === null
        ? t(`cause.carrier.${tone}`, { isp })
        : t(`cause.carrierPop.${tone}`, { isp, pop });
    case "state":
      return t(named[0]?.kind === "pop" ? "cause.pops" : "cause.sites", {
        count,
        state,
      });
    case "node":
      return nodeSentence(cause, texts);
  }
}

/** How far it reaches: sites, enterprises, links, loss; the enterprise alone for a single node. */
export function causeExtent(cause: RootCause, { t }: CauseTexts): string[] {
  const { kind, sites, enterprises, links, loss, named } = cause;
  const [first] = named;
  if (kind === "node") return first && first.enterpriseName !== "" ? [first.enterpriseName] : [];
  if (kind === "contact") {
    return [t("cause.extentOfDevices", { count: sites, enterprises })];
  }
  if (kind === "state" && first?.kind === "pop") {
    return [t("cause.extentOfPops", { count: sites })];
  }
  return [
    t("cause.extent", { sites, enterprises }),
    ...(links > 0 ? [t("cause.extentOfLinks", { links })] : []),
    ...(loss === null ? [] : [t("cause.loss", { loss })]),
  ];
}

/** Where a named node is looked at. */
export const nodePath = ({ kind, id }: RootCause["named"][number]): string =>
  kind === "pop" ? paths.popDetail(id) : paths.cpeDetail(id);

/** Where one sees it with its evidence, and acts. */
export function evidencePath({ kind, state, popId, tone, named }: RootCause): string {
  const [first] = named;
  switch (kind) {
    case "contact":
      return withSearch(paths.cpe(), { tone });
    case "pop":
      return popId === null ? paths.pop() : paths.popDetail(popId);
    case "carrier":
      // The worst links first; only a POP can be asked for, a carrier is in the row of its line.
      return withSearch(paths.linkMonitor(), { nodeId: popId, status: tone === "bad" ? 0 : null });
    case "state":
      if (state === "pending") return paths.enrolment();
      return withSearch(first?.kind === "pop" ? paths.pop() : paths.cpe(), {
        tone: state === null ? null : healthStates[state],
      });
    case "node":
      if (!first) return paths.cpe();
      if (state === "pending") return paths.enrolment();
      return nodePath(first);
  }
}
