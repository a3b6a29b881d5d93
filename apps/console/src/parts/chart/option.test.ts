import { expect, test } from "vitest";
import { chartOption } from "./option.ts";

const colours = { lines: ["#111111"], text: "#222222", hairline: "#333333", ground: "#444444" };
const at = (minute: number) => new Date(Date.UTC(2026, 10, 1, 8, minute));
const series = ["wan1", "wan2", "wan3", "wan4", "wan5", "wan6"].map((name, line) => ({
  name,
  points: Array.from({ length: 40 }, (_, minute) => ({ at: at(minute), value: line })),
}));
const optionOf = (isWeak: boolean) =>
  chartOption(series, { text: String, tick: String, gap: "no data" }, colours, {
    isLong: false,
    isWeak,
  });

test("six lines have six dashes, in every mode", () => {
  for (const isWeak of [false, true]) {
    const dashes = optionOf(isWeak).series.map(({ lineStyle }) => JSON.stringify(lineStyle.type));
    expect(new Set(dashes).size).toBe(6);
  }
});

test("in colour-weak mode each line has a shape of its own and its name beside it", () => {
  const lines = optionOf(true).series;
  expect(new Set(lines.map((line) => "symbol" in line && line.symbol)).size).toBe(6);
  for (const line of lines) {
    if (!("symbolSize" in line)) throw new Error("no shapes");
    const marked = line.data.filter((_, dataIndex) => line.symbolSize?.(null, { dataIndex }) === 8);
    expect(marked).toHaveLength(8);
    expect(line).toMatchObject({ showSymbol: true, endLabel: { show: true, formatter: "{a}" } });
  }
  // The legend shows dash and shape of the line and no block of its colour.
  expect(optionOf(true).legend).not.toHaveProperty("icon");
  expect(optionOf(true).grid.right).toBeGreaterThan(88);
});

test("otherwise lines bear no shapes", () => {
  expect(optionOf(false).series.every(({ showSymbol }) => !showSymbol)).toBe(true);
  expect(optionOf(false).legend).toHaveProperty("icon", "roundRect");
});
