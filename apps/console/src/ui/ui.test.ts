import { files } from "virtual:palettes";
import { themeColours } from "@weft/contract/domains/access/theme.ts";
import { describe, expect, it } from "vitest";
import { contrast } from "./contrast.ts";
import { cutMiddle } from "./copyable.tsx";
import { megabits, millisText, numberText, rateText, threeDigits } from "./number-text.tsx";
import { swatches } from "./palettes.ts";
import { sinceText, stampText, zoneText } from "./time-text.tsx";
import { mix, palettes } from "./tokens.ts";

const minutes = (count: number) => count * 60_000;

describe("how long ago", () => {
  const now = new Date(2026, 10, 21, 10, 32, 5).getTime();
  it.each([
    [0, "刚刚"],
    [-5, "刚刚"],
    [2.99, "刚刚"],
    [3, "3 分钟前"],
    [59, "59 分钟前"],
    [60, "1 小时前"],
    [60 * 24, "1 天前"],
    [60 * 24 * 31, "31 天前"],
  ])("%d minutes", (age, text) => {
    expect(sinceText(new Date(now - minutes(age)), "zh_cn", now)).toBe(text);
  });
  it("B-9-13, B-9-14, B-9-15, B-9-16: changes its form at 3 minutes and past 31 days", () => {
    const ago = (ms: number) => sinceText(new Date(now - ms), "en_gb", now);
    const day = minutes(60 * 24);
    expect(ago(minutes(3) - 1_000)).toBe("just now");
    expect(ago(minutes(3))).toBe("3 min ago");
    expect(ago(31 * day)).toBe("31 d ago");
    expect(ago(32 * day)).toBe(stampText(new Date(now - 32 * day)));
  });
  it("is the stamp past 31 days", () => {
    const old = new Date(now - minutes(60 * 24 * 31 + 1_440));
    expect(sinceText(old, "en_gb", now)).toBe(stampText(old));
    expect(stampText(new Date(now))).toBe("2026-11-21 10:32:05");
    expect(zoneText(new Date(now))).toMatch(/^UTC[+-]\d\d:\d\d$/);
  });
});

describe("numbers", () => {
  it("have three digits", () => {
    expect([0, 0.234, 8.123, 81.23, 812.3, 1_240].map(threeDigits)).toEqual([
      "0",
      "0.23",
      "8.12",
      "81.2",
      "812",
      "1,240",
    ]);
  });
  it("take the unit that fits, in decimal steps", () => {
    expect(rateText(0)).toEqual({ value: "0", unit: "bit/s" });
    expect(rateText(999)).toEqual({ value: "999", unit: "bit/s" });
    expect(rateText(8_120_000)).toEqual({ value: "8.12", unit: "Mbit/s" });
    expect(megabits(812_300_000)).toBe("812");
  });
  it("keep their decimals, so that digits line up", () => {
    expect([numberText(1, 1), millisText(9.96), millisText(10.4)]).toEqual(["1.0", "10.0", "10"]);
  });
});

describe("long ids", () => {
  it("are cut in the middle", () => {
    expect(cutMiddle("0123456789", 10)).toBe("0123456789");
    expect(cutMiddle("0123456789", 7)).toBe("012…789");
    expect(cutMiddle("0123456789", 6)).toHaveLength(6);
  });
});

describe.each(["light", "dark"] as const)("colours in %s", (mode) => {
  const p = palettes[mode];
  const grounds = [p.layout, p.container, p.elevated, p.fillAlter, p.rowHover];
  it("let texts be read on every ground", () => {
    for (const ground of grounds) {
      for (const ink of [p.text, p.textSecondary, p.textTertiary, p.bad, p.warnText]) {
        expect(contrast(ink, ground)).toBeGreaterThanOrEqual(4.5);
      }
    }
  });
  it("let states be seen on every ground", () => {
    for (const ground of grounds) {
      for (const tone of [p.ok, p.bad, p.warn, p.diff, p.run, p.off, p.major]) {
        expect(contrast(tone, ground)).toBeGreaterThanOrEqual(3);
      }
    }
  });
  it("let ink be read on every theme's fill, which its file holds", async () => {
    for (const colour of themeColours) {
      const { fill } = await files[`${colour}-${mode}`]();
      expect(swatches[colour][mode]).toBe(fill);
      expect(contrast(p.onFill, fill)).toBeGreaterThanOrEqual(4.5);
      const link = mode === "dark" ? fill : mix(fill, "#000000", 0.86);
      expect(contrast(link, p.container)).toBeGreaterThanOrEqual(4.5);
    }
  });
});
