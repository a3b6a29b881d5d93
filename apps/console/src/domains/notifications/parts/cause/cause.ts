/** What a root cause says, how far it reaches, and where its evidence is. */
import { healthStates } from "@weft/contract/domains/devices/health.ts";
import type { RootCause } from "@weft/contract/domains/notifications/root-cause.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import { paths, withSearch } from "#client/paths.ts";
import { useTexts } from "#client/texts.ts";
import { healthSentence } from "#domains/devices/parts/node/health.ts";
import { type NodeTexts, useNodeTexts } from "#domains/devices/parts/node/node-texts.ts";

const causeMessages = defineMessages({
  "cause.contact": [
    "{count} 台设备同时失去联系，先检查控制器及其网络",
    "{count|device|devices} lost contact at the same time; check the controller and its network first",
  ],
  "cause.pop.bad": [
    "POP {pop}：多个运营商到它的链路中断",
    "POP {pop}: links over several carriers are down",
  ],
  "cause.pop.warn": [
    "POP {pop}：多个运营商到它的链路质量差",
    "POP {pop}: links over several carriers are poor",
  ],
  "cause.popState": ["POP {pop}：{state}", "POP {pop}: {state}"],
  "cause.carrier.bad": ["{isp}：多个站点的链路中断", "{isp}: links of several sites are down"],
  "cause.carrier.warn": ["{isp}：多个站点的链路质量差", "{isp}: links of several sites are poor"],
  "cause.carrierPop.bad": [
    "{isp} 到 POP {pop} 的链路中断",
    "{isp} to POP {pop}: links of several sites are down",
  ],
  "cause.carrierPop.warn": [
    "{isp} 到 POP {pop} 的链路质量差",
    "{isp} to POP {pop}: links of several sites are poor",
  ],
  "cause.sites": ["{count} 个站点：{state}", "{count|site|sites}: {state}"],
  "cause.pops": ["{count} 个 POP：{state}", "{count|POP|POPs}: {state}"],
  "cause.node": ["{name}：{state}", "{name}: {state}"],
  "cause.nodeBecause": ["{name}：{state}。{because}", "{name}: {state}. {because}"],
  "cause.extent": [
    "{enterprises} 家企业的 {sites} 个站点",
    "{sites|site|sites} of {enterprises|enterprise|enterprises}",
  ],
  "cause.extentOfPops": ["{count} 个 POP", "{count|POP|POPs}"],
  "cause.extentOfDevices": [
    "{enterprises} 家企业的 {count} 台设备",
    "{count|device|devices} of {enterprises|enterprise|enterprises}",
  ],
  "cause.extentOfLinks": ["{links} 条链路", "{links|link|links}"],
  "cause.loss": ["丢包率最高 {loss}%", "loss up to {loss}%"],
  "cause.moreSites": ["等 {count} 个", "and {count} more"],
  "cause.evidence": ["查看详情", "Evidence"],
});

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
