import { cpe } from "@weft/contract/resources/cpe.ts";
import { describe, expect, it } from "vitest";
import { drawn, known } from "#kernel/drawn.tsx";
import CpePage from "./cpe-page.tsx";
import { sampleRow as row } from "./cpe-row-sample.ts";

const none = { alias: null, groupid: null, linkStatus: null, key: null, areaId: null };
const order = { orderByColumn: "lastOnline", isAsc: "asc" } as const;
const page = (authorities: Parameters<typeof drawn>[1]): string =>
  drawn(<CpePage />, authorities, [
    known(cpe.ops.list, { ...none, ...order, page: 1, limit: 10 }, [row]),
    known(cpe.ops.list, { ...none, orderByColumn: null, isAsc: null, page: 1, limit: 10 }, [row]),
  ]);
/** How often the word stands by itself; buttons may set a blank between two signs. */
const count = (html: string, [one, two]: string): number =>
  html.match(new RegExp(`>${one} ?${two}<`, "g"))?.length ?? 0;

describe("the list of CPEs", () => {
  it("B-6-14: has neither delete nor batch delete for whom lacks cpeRemove", () => {
    const others = ["cpeAdd", "cpeEdit", "cpeConfig", "cpeBatch"] as const;
    const all = page([...others, "cpeRemove"]);
    expect(all).toContain("上海-03");
    expect(count(all, "移除")).toBe(2);
    const without = page(others);
    expect(without).toContain("上海-03");
    expect(count(without, "移除")).toBe(0);
    expect(count(without, "禁用")).toBeGreaterThan(0);
  });
});
