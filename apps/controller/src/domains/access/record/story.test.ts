import { describe, expect, test } from "vitest";
import { Names } from "./references.ts";
import { type Entry, sentence, storyOf } from "./story.ts";
import { changesText, readableChange } from "./value-texts.ts";

const names = new Names([
  { kind: "node", id: 41, name: "南通码头", node_kind: "cpe" },
  { kind: "node", id: 42, name: "SH-02", node_kind: "cpe" },
]);
const nothing: Omit<Entry, "action"> = {
  isByProgram: false,
  loginName: "admin",
  module: "line",
  object: ["线路 wan1", "line wan1"],
  place: "SH-01",
  recorded: {},
  changes: [],
};
const change = (field: string, old: unknown, now: unknown) => ({ field, old, new: now });
const entry = (action: string, more: Partial<Entry> = {}) =>
  storyOf({ ...nothing, action, ...more }, names);

describe("a sentence", () => {
  test("names actor, action, object and place in both languages", () => {
    expect(entry("line.add")).toEqual([
      "admin 新增了 SH-01 的线路 wan1",
      "admin added line wan1 of SH-01",
    ]);
  });

  test("of an edit of one value has both values, in the unit of the forms", () => {
    const changes = [change("downBandwidth", 20_000, 100_000)];
    expect(entry("line.edit", { changes })).toEqual([
      "admin 将 SH-01 的线路 wan1 的下行带宽由 20 Mbit/s 改为 100 Mbit/s",
      "admin changed downstream of line wan1 of SH-01 from 20 Mbit/s to 100 Mbit/s",
    ]);
  });

  test("of an edit of several values names the first of them, and not the place", () => {
    const changes = ["nCpeID", "remark", "name", "sn", "alias"].map((one) => change(one, 1, 2));
    const [zh, en] = entry("line.edit", { changes });
    expect(zh).toMatch(/^admin 修改了 SH-01 的线路 wan1 的.+、.+、.+等 4 项$/);
    expect(en).toMatch(/^admin changed .+, .+, .+ and 1 more of line wan1 of SH-01$/);
  });

  test("reports an edit without changes as such", () => {
    expect(entry("line.edit")[1]).toBe("admin saved line wan1 of SH-01 without a change");
  });

  test("reports whether a switch was turned on or off", () => {
    const on = { changes: [change("enable", false, true)] };
    const off = { changes: [change("enable", true, false)] };
    expect(entry("user.editEnable", on)[0]).toBe("admin 启用了 SH-01 的线路 wan1");
    expect(entry("line.edit", off)[1]).toBe("admin disabled line wan1 of SH-01");
  });

  test("has values that the call recorded", () => {
    const object: [string, string] = ["南通码头", "南通码头"];
    const goBack = { object, place: "", recorded: { heldAt: 2 } };
    expect(entry("nodeState.goBack", goBack)).toEqual([
      "admin 将南通码头回退到配置 #2",
      "admin rolled 南通码头 back to configuration #2",
    ]);
  });

  test("calls those who are no persons by what they are", () => {
    const step = { isByProgram: true, loginName: "system", recorded: { version: 3, wave: 2 } };
    expect(entry("rollout.step", step)[0]).toBe(
      "控制器向 SH-01 的线路 wan1 版本 3 的第 2 批开始下发",
    );
    expect(entry("rollout.failWave", step)[1]).toBe(
      "The controller halted line wan1 of SH-01, version 3: wave 2 failed and is rolled back",
    );
    // A person who is called so is a person.
    expect(entry("rollout.step", { ...step, isByProgram: false })[1]).toMatch(/^system started/);
  });

  test("exists for a call that this release does not have", () => {
    expect(entry("gone.vanish")).toEqual([
      "admin 操作了 SH-01 的线路 wan1",
      "admin performed an operation on line wan1 of SH-01",
    ]);
  });

  test("does not read placeholders out of names", () => {
    expect(
      sentence(["{who}：{object}", "{who}: {object}"], "en_gb", {
        who: "{object}",
        object: "x",
      }),
    ).toBe("{object}: x");
  });
});

describe("a change as text", () => {
  test("has names for ids, and of lists only what went and what came", () => {
    expect(readableChange("netSpace", change("cpeIds", [41, 7], [42, 7]), names)).toMatchObject({
      oldText: ["南通码头", "南通码头"],
      newText: ["SH-02", "SH-02"],
    });
  });

  test("has labels for codes, also where the list is not called like the field", () => {
    const readable = readableChange("enrolment", change("state", "pending", "approved"), names);
    expect(readable).toMatchObject({
      name: ["状态", "State"],
      oldText: ["待审批", "Waiting for approval"],
      newText: ["已批准", "Approved"],
    });
    const policy = readableChange("nodeState", change("driftPolicy", "heal", "flag"), names);
    expect(policy).toMatchObject({
      name: ["漂移策略", "Drift policy"],
      newText: ["仅提示", "Report only"],
    });
  });

  test("has the fields of a value that is an object", () => {
    const readable = readableChange(
      "cpeCfg",
      change("state", null, { serial: 4, remark: "" }),
      names,
    );
    expect(readable.newText).toEqual(["配置版本：4", "Configuration serial: 4"]);
  });

  test("fits into one cell of a file", () => {
    const readable = [
      readableChange("line", change("serial", 1, 2), names),
      readableChange("netSpace", change("cpeIds", [41], [42]), names),
    ];
    expect(changesText(readable, "en_gb")).toMatch(
      /^Configuration serial: 1 → 2; .+: − 南通码头 \+ SH-02$/,
    );
  });
});
