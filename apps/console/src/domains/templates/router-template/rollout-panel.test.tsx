import {
  routerTemplateRolloutList,
  routerTemplateRolloutMembers,
} from "@weft/contract/domains/templates/rollout.ts";
import type { Permission } from "@weft/contract/permissions.ts";
import { describe, expect, it } from "vitest";
import { known, renderForTest } from "#client/render-for-test.tsx";
import { RolloutPanel } from "./rollout-panel.tsx";
import type { Rollout, RolloutMember } from "./rollout-texts.ts";
import { VersionState } from "./version-state.tsx";

const start = new Date("2026-11-23T08:00:00Z");
const wave = (number: number, more: Partial<Rollout["waves"][number]> = {}) => ({
  ...({ number, state: "ahead", cpes: 2, counts: { ahead: 2 }, failures: {} } as const),
  startTime: null,
  ...more,
});
const rollout = (more: Partial<Rollout> = {}): Rollout => ({
  rolloutId: 9,
  templateId: 7,
  templateName: "T",
  version: 2,
  state: "running",
  reason: null,
  isBad: false,
  wave: 1,
  waves: [wave(1), wave(2)],
  cpes: 4,
  prepared: 4,
  sizes: ["2"],
  soak: 120,
  grace: 60,
  contactGate: true,
  linkGate: true,
  findingGate: true,
  lossLimit: 5,
  askEach: false,
  since: start,
  createTime: start,
  createBy: "admin",
  ...more,
});
const member: RolloutMember = {
  ...({ cpeId: 1, cpeName: "SH-01", wave: 1, outcome: "rolledBack", versionBefore: 1 } as const),
  heldBy: null,
  unchecked: null,
  suspects: [],
  startTime: start,
  steadySince: null,
  failure: { gate: "links", params: { now: 1, before: 2 } },
  before: { online: true, links: 2, loss: 0.1 },
  now: { online: true, links: 1, loss: 0.3 },
};
const edit = ["routerTemplateList", "routerTemplateEdit"] as const;
const panel = (
  shown: Rollout,
  may: readonly Permission[] = edit,
  version = 2,
  of: RolloutMember = member,
): string =>
  renderForTest(<RolloutPanel templateId={7} version={version} />, may, [
    known(routerTemplateRolloutList, { templateId: 7, page: 1, limit: 1 }, [shown]),
    known(routerTemplateRolloutMembers, { rolloutId: 9, wave: null, page: 1, limit: 10 }, [of]),
  ]);
const packed = (text: string): string => text.replaceAll(" ", "");
/** Labels of the buttons; the component library parts two characters by a blank. */
const buttons = (html: string): string[] =>
  ["继续", "开始第 2 批", "暂停", "回滚"].filter((label) =>
    packed(html).includes(`<span>${packed(label)}</span></button>`),
  );

describe("a rollout", () => {
  it("shows why it was halted, the outcome of each CPE and the possible decisions", () => {
    const failed = {
      state: "rolledBack",
      counts: { rolledBack: 2 },
      failures: { links: 1 },
    } as const;
    const html = panel(
      rollout({
        state: "halted",
        reason: "gate",
        isBad: true,
        waves: [wave(1, failed), wave(2)],
      }),
    );
    expect(html).toContain(
      "第 1 批未通过：1 台链路减少。该批回滚到之前的版本，版本 2 标记为问题版本",
    );
    expect(html).toContain("在线链路 1 条，下发前 2 条");
    expect(html).toContain("2 → 1");
    expect(buttons(html)).toEqual(["继续", "回滚"]);
  });

  it("shows the cause of the halt also when it is a CPE of an earlier wave", () => {
    const late = wave(1, { state: "passed", failures: { findings: 1 } });
    const failed = wave(2, { state: "rolledBack", failures: { findings: 1, links: 1 } });
    const halted = { ...({ state: "halted", reason: "gate" } as const), isBad: true, wave: 2 };
    const html = panel(rollout({ ...halted, waves: [late, failed] }));
    expect(html).toContain("第 2 批未通过：2 台对象不生效、1 台链路减少。");
  });

  it("can be halted while it runs, and resumed where it waits for an operator", () => {
    expect(buttons(panel(rollout()))).toEqual(["暂停", "回滚"]);
    const waiting = rollout({ state: "waiting" });
    expect(buttons(panel(waiting))).toEqual(["开始第 2 批", "暂停", "回滚"]);
  });

  it("does not call a CPE passed that nothing was seen of", () => {
    const unseen = wave(1, { state: "passed", counts: { absent: 2 } });
    const inPart = wave(2, { state: "passed", counts: { passed: 1, absent: 1 } });
    const done = panel(rollout({ state: "completed", wave: 2, waves: [unseen, inPart] }));
    expect(done).toContain("1 台 CPE 通过；3 台离线，之后更新，不再观察");
    expect(done).toContain("0 台通过、2 台离线");
    expect(done).not.toContain("已通过");
    const waiting = rollout({ state: "waiting", waves: [unseen, wave(2)] });
    expect(panel(waiting)).toContain("第 1 批没有观察到任何结果：2 台离线；由操作员决定");
    const restored = rollout({ state: "halted", reason: "restore" });
    expect(panel(restored)).toContain("恢复备份时第 1 批正在下发，已暂停");
  });

  it("names CPEs that wait for an operator, and why", () => {
    const held = { ...member, outcome: "held", failure: null } as const;
    const inPart = wave(1, { state: "passed", counts: { passed: 1, held: 1 } });
    const waiting = rollout({ state: "waiting", waves: [inPart, wave(2)] });
    const html = panel(waiting, edit, 2, { ...held, heldBy: "pin" });
    expect(html).toContain("第 1 批：1 台通过、1 台待操作员处理，等待操作员开始第 2 批");
    expect(html).toContain("固定在历史配置，解除固定后才算更新");
    expect(panel(waiting, edit, 2, { ...held, heldBy: "approval" })).toContain("新配置等待放行");
  });

  it("names CPEs of which it is not known what acts, and why", () => {
    const of = (code: "noReport" | "unreadable") =>
      panel(rollout(), edit, 2, { ...member, failure: null, unchecked: { code, detail: "" } });
    expect(of("noReport")).toContain("下发前未能核对对象是否生效：设备尚未上报能力");
    expect(of("unreadable")).toContain("核对对象是否生效：数据库中的部分设置无法读取");
  });

  it("is decided by who may publish, and not after the next version", () => {
    expect(buttons(panel(rollout(), ["routerTemplateList"]))).toEqual([]);
    expect(buttons(panel(rollout({ state: "completed" }), edit, 3))).toEqual([]);
    expect(buttons(panel(rollout({ state: "completed" })))).toEqual(["回滚"]);
    expect(buttons(panel(rollout({ state: "rolledBack" })))).toEqual([]);
  });

  it("marks a bad version", () => {
    const shown = (isBad: boolean, rolloutState: Rollout["state"] | null) =>
      renderForTest(<VersionState row={{ version: 2, isBad, rolloutState }} />, []);
    expect(shown(true, "rolledBack")).toContain("v2 · 问题版本");
    expect(shown(true, null)).toContain("问题版本");
    expect(shown(false, "running")).toContain("v2 · 进行中");
    expect(shown(false, "completed")).not.toContain("·");
  });
});
