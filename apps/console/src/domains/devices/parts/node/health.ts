import {
  type HealthDetail,
  type HealthState,
  type HealthTone,
  healthStates,
} from "@weft/contract/domains/devices/health.ts";
import { metricUnit } from "@weft/contract/domains/notifications/enums.ts";
import { healthGlyphs } from "#parts/health/health-glyphs.ts";
import type { StateLabel } from "#ui/glyph.tsx";
import { sinceText } from "#ui/time-text.tsx";
import { excessText } from "./excess.ts";
import type { NodeTexts } from "./node-texts.ts";

/** What every row of a node has: its health as the controller computed it. */
export interface WithHealth {
  /** null: the controller has not looked at it yet. */
  readonly health: HealthState | null;
  readonly healthSince: Date | null;
  readonly healthDetail: HealthDetail;
  readonly lastOnline: Date | null;
}

export const toneOf = (state: HealthState | null): HealthTone =>
  state === null ? "unknown" : healthStates[state];

/** The link that is most above its limit, with the limit and since when, and how many links are above one. */
function poorSentence({ healthDetail, healthSince }: WithHealth, t: NodeTexts): string | null {
  const { count = 0, of = 0, name = "", excess } = healthDetail;
  if (!excess) return null;
  const what = excessText({ ...excess, since: healthSince }, t);
  return count > 1
    ? t("node.because.poorOthers", { name, what, count, of })
    : t("node.because.poor", { name, what });
}

/** What an open alarm is about; one that the reader may not know more of, by its policy. */
function alarmSentence({ name = "", alarm }: HealthDetail, t: NodeTexts): string {
  if (!alarm) return t("node.because.alarm", { what: name });
  const { metric, item, value, limit } = alarm;
  const unit = metricUnit(metric);
  const reading = value === null ? [] : [`${value} ${unit}`];
  const label = [item, t.code("alarmMetric", metric), ...reading].filter((text) => text !== "");
  const what = label.join(" ");
  return t("node.because.alarm", {
    what: limit === null ? what : t("node.alarmLimit", { what, limit, unit }),
  });
}

/** The sentence of the cause; null: the state says it all. */
export function healthSentence(node: WithHealth, t: NodeTexts): string | null {
  const { health, healthDetail } = node;
  const { count = 0, of = 0, name = "", serial = 0 } = healthDetail;
  switch (health) {
    case "cutOff":
      return t("node.because.cutOff", { of });
    case "blocked":
      return serial === 0 ? t("node.because.uncompiled") : t("node.because.blocked", { serial });
    case "outOfContact":
      return name === ""
        ? t("node.because.hubOutOfContact")
        : t("node.because.outOfContact", { name });
    case "degraded":
      return name === ""
        ? t("node.because.linksDown", { count, of })
        : t("node.because.linesDown", { count, of, name });
    case "poor":
      return poorSentence(node, t);
    case "withoutStandby":
      return t("node.because.withoutStandby", { name });
    case "findings":
      return t("node.because.findings", { count });
    case "drifted":
      return t("node.because.drifted", { count });
    case "held":
      return t("node.because.held", { serial });
    case "alarm":
      return alarmSentence(healthDetail, t);
    case "delivering":
      return t("node.because.delivering", { serial });
    case "expired":
    case "comingUp":
    case "unseen":
      return t(`node.because.${health}`);
    case "pending":
    case "rejected":
    case "quarantined":
    case "unclaimed":
      return t(`node.cause.${health}`);
    case "offline":
    case "online":
    case "disabled":
    case null:
      return null;
  }
}

/** Icon and label of a node's health, since when it is out of contact, and the cause on hover. */
export function healthState(node: WithHealth, t: NodeTexts): StateLabel {
  const { health, lastOnline } = node;
  const label = t(`node.health.${health ?? "none"}`);
  const since = health === "offline" && lastOnline ? sinceText(lastOnline, t.language) : null;
  return {
    glyph: healthGlyphs[toneOf(health)],
    label: since === null ? label : `${label} ${since}`,
    hint: healthSentence(node, t) ?? undefined,
  };
}
