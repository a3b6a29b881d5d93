import type { HealthDetail, HealthState } from "@weft/contract/domains/devices/health.ts";
import type { Language } from "@weft/contract/kernel/message.ts";
import { describe, expect, it } from "vitest";
import { healthMessages } from "#parts/health/messages.ts";
import "#client/contract-texts.ts";
import { registerMessages, textsIn } from "#client/texts.ts";
import { stampText } from "#ui/time-text.tsx";
import { healthSentence, healthState } from "./health.ts";
import { nodeMessages } from "./messages.ts";

registerMessages(nodeMessages);
registerMessages(healthMessages);

const since = new Date(2026, 10, 20, 14, 36);
const node = (health: HealthState, healthDetail: HealthDetail) => ({
  health,
  healthDetail,
  healthSince: since,
  lastOnline: null,
});
const loss = { metric: "loss", value: 3.9, limit: 1 } as const;
const sentences = (health: HealthState, detail: HealthDetail) =>
  (["zh_cn", "en_gb"] satisfies Language[]).map((language) =>
    healthSentence(node(health, detail), textsIn(language)),
  );

describe("the sentence of a site that is not well", () => {
  it("names the line, the value, the limit and since when", () => {
    expect(sentences("poor", { count: 1, of: 4, name: "wan1", excess: loss })).toEqual([
      "wan1 丢包 3.9 %（限 1 %），自 11-20 14:36",
      "wan1: 3.9 % loss (limit 1 %) since 11-20 14:36",
    ]);
    expect(sentences("poor", { count: 4, of: 4, name: "wan1", excess: loss })).toEqual([
      "wan1 丢包 3.9 %（限 1 %），自 11-20 14:36；4 条链路中 4 条超限",
      "wan1: 3.9 % loss (limit 1 %) since 11-20 14:36; 4 of 4 links over a limit",
    ]);
  });

  it("of today names the time alone", () => {
    const now = new Date();
    const of = { ...node("poor", { count: 1, name: "wan1", excess: loss }), healthSince: now };
    expect(healthSentence(of, textsIn("zh_cn"))).toBe(
      `wan1 丢包 3.9 %（限 1 %），自 ${stampText(now).slice(11, 16)}`,
    );
  });

  it("names the subject of an open alarm", () => {
    const alarm = { metric: "loss", item: "南通码头 - 上海-01", value: 3.9, limit: 2 } as const;
    expect(sentences("alarm", { name: "链路质量", alarm })).toEqual([
      "告警：南通码头 - 上海-01 丢包率 3.9 %（限 2 %）",
      "Alarm: 南通码头 - 上海-01 Packet loss 3.9 % (limit 2 %)",
    ]);
    expect(sentences("alarm", {})).toEqual(["告警：", "Alarm: "]);
  });

  it("is with the triangle of the state wherever a node is shown", () => {
    const state = healthState(
      node("poor", { count: 1, name: "wan1", excess: loss }),
      textsIn("zh_cn"),
    );
    expect(state).toMatchObject({ glyph: "warn", label: "质量差" });
    expect(state.hint).toContain("限 1 %");
  });
});
