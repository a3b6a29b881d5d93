import { operaRecordList } from "@weft/contract/domains/access/record.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { enterprise } from "@weft/contract/domains/enterprises/enterprise.ts";
import { describe, expect, it } from "vitest";
import { readOpened } from "#client/opened.ts";
import { filterShape, lastPageBefore, readView, typedLimit, writeView } from "./list-url.ts";

const shape = filterShape(cpe.ops.list, []);
const read = (query: string) => readView(new URLSearchParams(query), shape);

describe("the address of a list", () => {
  it("without parameters: first page, 10 rows, no filter", () => {
    expect(read("")).toEqual({
      page: 1,
      limit: 10,
      sort: null,
      filters: {
        alias: null,
        groupid: null,
        linkStatus: null,
        tone: null,
        key: null,
        areaId: null,
      },
      refused: [],
    });
  });

  it("gives filters their memory form", () => {
    const view = read("page=3&limit=40&sort=-lastOnline&alias=SH&groupid=7&linkStatus=1");
    expect(view).toEqual({
      page: 3,
      limit: 40,
      sort: { by: "lastOnline", order: "desc" },
      filters: { alias: "SH", groupid: 7, linkStatus: 1, tone: null, key: null, areaId: null },
      refused: [],
    });
  });

  it.each(["page=0", "page=-1", "page=1e9", "limit=x", "sort=-"])(
    "ignores what it does not understand: %s",
    (query) => {
      expect(read(query)).toEqual(read(""));
    },
  );

  it.each([
    ["groupid", "abc", "integer"],
    ["linkStatus", "9", "outOfRange"],
    ["alias", "x".repeat(500), "tooLong"],
  ])(
    "refuses a filter that breaks a rule, instead of asking for more rows: %s",
    (name, text, rule) => {
      const { filters, refused } = read(
        `alias=SH&${name}=${text}`.replace(/^alias=SH&alias/, "alias"),
      );
      expect(filters[name]).toBeNull();
      expect(refused).toMatchObject([{ name, text, issue: { rule } }]);
    },
  );

  it("keeps a text that is too long as it was typed, so that it is refused and not lost", () => {
    const long = "x".repeat(500);
    const written = writeView(new URLSearchParams("page=3"), shape, {
      filters: { alias: long },
      page: 1,
    });
    expect(written.get("alias")).toBe(long);
    expect(readView(written, shape).refused).toMatchObject([{ name: "alias", text: long }]);
  });

  it("comes back from what was written", () => {
    const change = {
      page: 2,
      limit: 20,
      sort: { by: "alias", order: "asc" },
      filters: {
        alias: "a&b=c 上海",
        groupid: 7,
        linkStatus: 0,
        tone: null,
        key: "5",
        areaId: null,
      },
    } as const;
    const written = writeView(new URLSearchParams("open=add"), shape, change);
    expect(readView(new URLSearchParams(written.toString()), shape)).toEqual({
      ...change,
      refused: [],
    });
    expect(written.get("open")).toBe("add");
  });

  it("leaves out what has its default", () => {
    const before = new URLSearchParams("page=2&limit=20&alias=a");
    const after = writeView(before, shape, { page: 1, limit: 10, filters: { alias: null } });
    expect(after.toString()).toBe("");
  });

  it("writes flags and moments as the wire has them", () => {
    const flags = filterShape(enterprise.ops.list, []);
    const on = writeView(new URLSearchParams(), flags, { filters: { isAgent: true } });
    expect(on.toString()).toBe("isAgent=1");
    expect(readView(on, flags).filters.isAgent).toBe(true);
    const range = filterShape(operaRecordList, []);
    const startTime = new Date("2026-11-21T02:03:04Z");
    const since = writeView(new URLSearchParams(), range, { filters: { startTime } });
    expect(readView(since, range).filters.startTime).toEqual(startTime);
  });

  it("offers no filter for what the page fixes", () => {
    expect(filterShape(lanSection.ops.list, ["nCpeID"])).toEqual({});
  });
});

describe("a typed page size", () => {
  it.each([
    ["", 10],
    ["  ", 10],
    [" 25 ", 25],
    ["0", 10],
    ["abc", 10],
    ["99999", 1_000],
  ])("%j is %i", (text, limit) => {
    expect(typedLimit(text)).toBe(limit);
  });
});

describe("an opened drawer", () => {
  it.each([
    [null, null],
    ["add", { what: "add", id: null }],
    ["edit-12", { what: "edit", id: 12 }],
    ["edit-0", null],
    ["edit-12x", null],
    ["<b>", null],
  ])("%j", (text, opened) => {
    expect(readOpened(text)).toEqual(opened);
  });
});

describe("a page beyond the end", () => {
  it.each([
    [7, 10, 21, 3],
    [3, 10, 20, 2],
    [2, 10, 0, 1],
    [2, 10, 11, null],
    [1, 10, 0, null],
  ])("%d of %d rows each, with %d rows: leads to %s", (page, limit, count, last) => {
    expect(lastPageBefore({ page, limit }, count)).toBe(last);
  });
});
